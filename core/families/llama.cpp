// Llama and other model types with similar tensors: pre-norm decoders with multi-head or grouped-query attention, gated feed-forward blocks
// and RMSNorm. Each type is described by a LlamaType. Source: transformers, models/<type>; for the first InternLM, MiniCPM, MiMo and
// XVERSE, which transformers lacks, the code published with the models.

#include "core/nn/text/decoders.hpp"
#include "core/nn/text/legacy_buffers.hpp"
#include "core/nn/text/reward_heads.hpp"

namespace param_ledger {

namespace {

// `sizes` lists hidden_size, intermediate_size, num_hidden_layers, vocab_size and num_attention_heads.

/// Throws unless there are as many key-value heads as query heads and the heads divide the hidden size.
void require_multi_head(const LlamaDecoder& m) {
  require_equal(m.attention.kv_heads, m.attention.heads);
  require_shares(m);
}

constexpr LlamaDecoder tied_head{.tied = true};

constexpr LlamaType cwm_type{
    .sizes = {6144, 21504, 64, 128256, 48}, .kv_heads = fixed(8), .head_dim = fixed(128), .switches = mlp_bias, .divisible = true};
constexpr LlamaType ernie4_5_type{.sizes = {1024, 3072, 18, 103424, 16},
                                  .kv_heads = fixed_not_null(2),
                                  .head_dim = fixed_not_null(128),
                                  .switches =
                                      [](Config c, LlamaDecoder& m) {
                                        m.attention.qkv_bias = m.attention.output_bias = m.mlp_bias =
                                            c.flag("use_bias", false, Null::allowed);
                                      },
                                  .layout = tied_head};
constexpr LlamaType internlm_type{.sizes = {4096, 11008, 32, 103168, 32}, .switches = [](Config c, LlamaDecoder& m) {
                                    m.attention.qkv_bias = m.attention.output_bias = c.flag("bias", true);
                                    require_multi_head(m);
                                  }};
constexpr LlamaType internlm3_type{.sizes = {4096, 10240, 48, 128512, 32},
                                   .kv_heads = fixed_not_null(2),
                                   .head_dim = fixed_not_null(128),
                                   .switches =
                                       [](Config c, LlamaDecoder& m) {
                                         both_biases(c, m);
                                         if (m.attention.qkv_bias != m.mlp_bias)
                                           c.refuse(ErrorCode::inconsistent, "mlp_bias", "must equal attention_bias.");
                                       },
                                   .divisible = true};
constexpr LlamaType iquestcoder_type{.sizes = {5120, 27648, 80, 76800, 40},
                                     .kv_heads = fixed_not_null(8),
                                     .head_dim = fixed_not_null(128),
                                     .switches = both_biases,
                                     .divisible = true};
constexpr LlamaType llama_itself{
    .sizes = {4096, 11008, 32, 32000, 32},
    .switches = both_biases,
    .divisible = true,
    .layout = {.more = [](Builder& b, const LlamaDecoder& m) { legacy_frequencies(b, "self_attn.rotary_emb", m.attention.head_dim); }}};
constexpr LlamaType minicpm_type{.sizes = {4096, 11008, 32, 32000, 32},
                                 .switches =
                                     [](Config c, LlamaDecoder& m) {
                                       attention_bias(c, m);
                                       require_shares(m);
                                       if (c.has("num_experts") && c.integer("num_experts", 0).decide() > 0)
                                         c.refuse(ErrorCode::unsupported, "num_experts", "is for MiniCPM-MoE, which is not counted.");
                                     },
                                 .layout = tied_head};
constexpr LlamaType ministral_type{.sizes = {4096, 14336, 32, 32000, 32}, .kv_heads = fixed(8), .head_dim = required(128)};
constexpr LlamaType ministral3_type{.sizes = {4096, 14336, 34, 131072, 32}, .kv_heads = fixed(8), .head_dim = fixed_not_zero(128)};
constexpr LlamaType mistral_type{.sizes = {4096, 14336, 32, 32000, 32}, .kv_heads = fixed(8), .head_dim = unless_zero};
constexpr LlamaType qwen2_type{.sizes = {4096, 22016, 32, 151936, 32},
                               .kv_heads = fixed_not_null(32),
                               .head_dim = attribute,
                               .layout = {.attention = {.qkv_bias = true}}};
constexpr LlamaType qwen3_type{.sizes = {4096, 22016, 32, 151936, 32},
                               .kv_heads = fixed_not_null(32),
                               .head_dim = fixed(128),
                               .switches = attention_bias,
                               .layout = {.attention = {.head_norms = QkNorm::per_head}}};
constexpr LlamaType seed_oss_type{.sizes = {4096, 27648, 64, 155136, 80},
                                  .kv_heads = fixed_not_null(8),
                                  .head_dim = fixed_not_null(128),
                                  .switches = [](Config c, LlamaDecoder& m) {
                                    m.attention.qkv_bias = c.flag("attention_bias", true);
                                    m.attention.output_bias = c.flag("attention_out_bias", false);
                                    mlp_bias(c, m);
                                  }};
constexpr LlamaType smollm3_type{.sizes = {2048, 11008, 36, 128256, 16},
                                 .kv_heads = fixed_not_null(4),
                                 .head_dim = attribute,
                                 .switches = both_biases,
                                 .layout = tied_head};
constexpr LlamaType xverse_type{.sizes = {5120, 13824, 40, 100278, 40}, .switches = [](Config, LlamaDecoder& m) { require_multi_head(m); }};

// The classes of reward models. Their names come from vLLM, SGLang and the code published with Qwen2.5-Math.
constexpr Architecture qwen2_rewards[] = {{"Qwen2ForRewardModel", Head::other, "model"},
                                          {"Qwen2ForProcessRewardModel", Head::other, "model"}};
constexpr Architecture qwen3_rewards[] = {{"Qwen3ForRewardModel", Head::other, "model"}};

constexpr Alias internlm3_aliases[] = {{"qkv_bias", "attention_bias"}, {"bias", "mlp_bias"}};

/// Whether a layer of SmolLM3 has a sliding window in a configuration without layer_types: layers without RoPE have one.
bool slides(Config c, std::size_t layer, std::size_t /*n_layers*/) {
  const Json list = c.peek("no_rope_layers");
  if (list.size() > 0) return !(list[layer].is(Json::Type::integer) ? list[layer].magnitude() != 0 : is_true(list[layer]));
  return (layer + 1) % std::max<Count>(1, peeked(c, "no_rope_layer_interval", 4)) == 0;
}

/// Records SmolLM3. No tensor depends on no_rope_layers, but transformers reads an entry for each layer.
BackboneOutput smollm3_backbone(Config c, Builder& b) {
  const BackboneOutput out = of_type<smollm3_type>(c, b);
  c.require_length_of("no_rope_layers", c.pool().find("num_hidden_layers"));
  return out;
}

}  // namespace

extern const Family cwm{
    .model_type = "cwm",
    .summary = "Code World Model: like Llama, with local and global attention, no attention biases.",
    .classes = {"Cwm", heads::decoder},
    .backbone = of_type<cwm_type>,
    .cache = caches::first_of(8192, 4),
};
extern const Family ernie4_5{
    .model_type = "ernie4_5",
    .summary = "Like Llama, with tied embeddings and one switch for all biases.",
    .classes = {"Ernie4_5", heads::decoder},
    .backbone = of_type<ernie4_5_type>,
    .cache = caches::all_tokens,
};
extern const Family internlm{
    .model_type = "internlm",
    .summary = "Like Llama, with attention biases.",
    .classes = {"InternLM", heads::decoder},
    .backbone = of_type<internlm_type>,
    .own_code = true,
};
extern const Family internlm3{
    .model_type = "internlm3",
    .summary = "Like Llama, with two key-value heads by default.",
    .classes = {"Llama", heads::decoder},
    .aliases = internlm3_aliases,
    .backbone = of_type<internlm3_type>,
    .cache = caches::all_tokens,
};
extern const Family iquestcoder{
    .model_type = "iquestcoder",
    .summary = "Like Llama, with grouped-query attention and other default sizes.",
    .classes = {"Llama", heads::decoder},
    .backbone = of_type<iquestcoder_type>,
    .cache = caches::all_tokens,
};
extern const Family llama{
    .model_type = "llama",
    .summary = "Decoder with grouped-query attention, gated MLP and RMSNorm.",
    .classes = {"Llama", heads::all, "model", "transformer"},
    .backbone = of_type<llama_itself>,
    .cache = caches::all_tokens,
    .gguf = Gguf::known_large,
};
extern const Family mimo{
    .model_type = "mimo",
    .summary = "Like Qwen2, with multi-token prediction layers, which are not counted.",
    .classes = {"MiMo", heads::decoder},
    .backbone = of_type<qwen2_type>,
    .own_code = true,
    .predicts = {.place = PredictionLayers::Place::beside, .field = "num_nextn_predict_layers"},
};
extern const Family minicpm{
    .model_type = "minicpm",
    .summary = "Like Llama, with constant scaling factors and tied embeddings.",
    .classes = {"MiniCPM", heads::decoder},
    .backbone = of_type<minicpm_type>,
    .own_code = true,
};
extern const Family ministral{
    .model_type = "ministral",
    .summary = "Like Mistral, with sliding windows in some layers; head_dim is required.",
    .classes = {"Ministral", heads::all, "model", "transformer"},
    .backbone = of_type<ministral_type>,
    .cache = caches::windows({.layers = Window::Layers::any, .size = 4096}),
};
extern const Family ministral3{
    .model_type = "ministral3",
    .summary = "Like Mistral, with other default sizes.",
    .classes = {"Ministral3", heads::all},
    .backbone = of_type<ministral3_type>,
    .cache = caches::windowed(),
};
extern const Family mistral{
    .model_type = "mistral",
    .summary = "Like Llama, with 8 key-value heads by default and no biases.",
    .classes = {"Mistral", heads::all},
    .backbone = of_type<mistral_type>,
    .cache = caches::windowed(4096),
};
extern const Family qwen2{
    .model_type = "qwen2",
    .summary = "Like Llama, with QKV biases.",
    .classes = {"Qwen2", heads::all, "model", "transformer", qwen2_rewards},
    .backbone = of_type<qwen2_type>,
    .head = reward_head,
    .cache = caches::switched(4096),
    .gguf = Gguf::known_large,
};
extern const Family qwen3{
    .model_type = "qwen3",
    .summary = "Like Llama, with QK-Norm and a separate head_dim.",
    .classes = {"Qwen3", heads::all, "model", "transformer", qwen3_rewards},
    .backbone = of_type<qwen3_type>,
    .head = reward_head,
    .cache = caches::switched(4096),
};
extern const Family seed_oss{
    .model_type = "seed_oss",
    .summary = "Like Llama, with QKV biases and a separate head_dim.",
    .classes = {"SeedOss", heads::all, "model", "transformer"},
    .backbone = of_type<seed_oss_type>,
    .cache = caches::all_tokens,
};
extern const Family smollm3{
    .model_type = "smollm3",
    .summary = "Like Llama, with tied embeddings and no RoPE in every fourth layer.",
    .classes = {"SmolLM3", heads::all, "model", "transformer"},
    .backbone = smollm3_backbone,
    .cache = caches::windows({.layers = Window::Layers::listed, .switched = true, .slides = slides}),
};
extern const Family xverse{
    .model_type = "xverse",
    .summary = "Like Llama, with multi-head attention only.",
    .classes = {"Xverse", heads::decoder},
    .backbone = of_type<xverse_type>,
    .own_code = true,
};

}  // namespace param_ledger
