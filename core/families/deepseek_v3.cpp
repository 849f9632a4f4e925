// DeepSeek-V3 and R1: multi-head latent attention (MLA), and mixtures of routed and shared experts in all layers that are not dense. Also
// other model types with similar tensors. Each type is described by a LatentType. Source: transformers, models/<type>.

#include "core/builder/row_names.hpp"
#include "core/nn/text/indexer.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}};
constexpr Alias aliases_v2[] = {{"num_experts", "n_routed_experts"}};
constexpr Alias aliases_indexed[] = {{"num_local_experts", "n_routed_experts"}, {"num_experts", "n_routed_experts"}};
constexpr Alias aliases_lite[] = {{"num_local_experts", "n_routed_experts"}, {"head_dim", "qk_rope_head_dim"}};

/// How the configuration selects the layers with a dense feed-forward block.
enum class Dense : std::uint8_t {
  first_k,         ///< the first first_k_dense_replace layers
  listed,          ///< the layers that mlp_layer_types marks as dense; by default only the first layer
  listed_first_k,  ///< the layers that mlp_layer_types marks as dense; by default the first first_k_dense_replace
};

/// The defaults and options that differ between model types with DeepSeek-V3's tensors.
struct LatentType {
  DecoderDefaults sizes;
  LatentDefaults latent;
  MixtureFields experts;
  Dense dense = Dense::first_k;
  std::uint64_t n_dense = 0;        ///< default of first_k_dense_replace
  bool corrected = true;            ///< whether routers have a correction bias
  bool mlp_bias = false;            ///< whether the type has the field mlp_bias (for dense blocks and shared experts) and requires heads
                                    ///< that divide the hidden size
  std::uint64_t indexer_heads = 0;  ///< default of index_n_heads; 0: no indexer
  bool shared_indexers = false;     ///< whether some layers reuse another layer's indexer
  ExpertLayout layout = ExpertLayout::one_by_one;
};

BackboneOutput latent_type(Config c, Builder& b, const LatentType& type) {
  const DecoderSizes s = decoder_sizes(c, type.sizes);
  const LatentAttention latent = latent_attention_fields(c, s.d, s.n, type.latent);
  const bool mlp_bias = type.mlp_bias && c.flag("mlp_bias", false);
  const Mixture m = mixture_fields(
      c, s.d, type.experts,
      {.layout = type.layout, .correction = type.corrected ? RouterBias::buffer : RouterBias::none, .shared_bias = mlp_bias});
  const Expr n_dense = type.dense == Dense::listed ? c.literal(1) : c.integer("first_k_dense_replace", type.n_dense);
  const Split dense = dense_first(s.n_layers, n_dense);
  const Split layers = type.dense == Dense::first_k ? dense : listed_sparse_layers(c, s.n_layers, dense);
  if (type.mlp_bias) require_multiple(s.d, s.n);
  const SparseDecoder decoder{s, {.layers = layers, .mixture = m, .dense = s.f, .dense_bias = mlp_bias}};
  if (type.indexer_heads == 0) return sparse_decoder(b, decoder, latent);

  Indexer index{c.integer("index_n_heads", type.indexer_heads), c.integer("index_head_dim", 128)};
  const IndexSet indexed = type.shared_indexers ? indexed_layers(c, s.n_layers) : all(s.n_layers);
  index.reused = type.shared_indexers && size_of(indexed.runs.span()) < s.n_layers.peek();
  return sparse_decoder(b, decoder, [&] {
    b.repeat("layers", all(s.n_layers), [&] { latent_attention(b, "self_attn", latent); });
    b.repeat("layers", indexed, [&] { indexer(b, "self_attn.indexer", latent, index); });
  });
}

template <const LatentType& type>
BackboneOutput of_type(Config c, Builder& b) {
  return latent_type(c, b, type);
}

// `sizes` lists hidden_size, intermediate_size, num_hidden_layers, vocab_size and num_attention_heads.

constexpr LatentType deepseek_v2_type{.sizes = {4096, 11008, 32, 102400, 32},
                                      .latent = {},
                                      .experts = {.count = 64, .active = {}, .inner = 1407, .shared = 2},
                                      .corrected = false,
                                      .mlp_bias = true};
constexpr LatentType deepseek_v3_type{.sizes = {7168, 18432, 61, 129280, 128},
                                      .latent = {},
                                      .experts = {.count = 256, .active = 8, .inner = 2048, .shared = 1},
                                      .n_dense = 3};
constexpr LatentType deepseek_v32_type{.sizes = {7168, 18432, 61, 129280, 128},
                                       .latent = {.compressed = true},
                                       .experts = {.count = 256, .active = 8, .inner = 2048, .shared = 1},
                                       .dense = Dense::listed_first_k,
                                       .n_dense = 3,
                                       .indexer_heads = 64};
constexpr LatentType glm4_moe_lite_type{.sizes = {2048, 10240, 47, 154880, 20},
                                        .latent = {.q_rank = 768, .nope_dim = 192, .value_dim = 256},
                                        .experts = {.count = 64, .active = 4, .inner = 1536, .shared = 1},
                                        .dense = Dense::listed};
constexpr LatentType glm_moe_dsa_type{.sizes = {6144, 12288, 78, 154880, 64},
                                      .latent = {.q_rank = 2048, .nope_dim = 192, .value_dim = 256, .compressed = true},
                                      .experts = {.count = 256, .active = 8, .inner = 2048, .shared = 1},
                                      .dense = Dense::listed_first_k,
                                      .n_dense = 3,
                                      .indexer_heads = 32,
                                      .shared_indexers = true};
constexpr LatentType mistral4_type{.sizes = {4096, 12288, 36, 131072, 32},
                                   .latent = {.q_rank = 1024, .kv_rank = 256, .nope_dim = 64},
                                   .experts = {.count = 128, .active = 4, .inner = 2048, .shared = 1},
                                   .corrected = false,
                                   .layout = ExpertLayout::stacked};

}  // namespace

extern const Family deepseek_v2{
    .model_type = "deepseek_v2",
    .summary = "Multi-head latent attention (MLA); mixture of experts with shared experts after any dense layers.",
    .classes = {"DeepseekV2", heads::causal_lm | heads::base | heads::sequence},
    .aliases = aliases_v2,
    .backbone = of_type<deepseek_v2_type>,
    .peft = PeftExperts::converted,
};
extern const Family deepseek_v3{
    .model_type = "deepseek_v3",
    .summary = "Multi-head latent attention (MLA); mixture of experts with shared experts after the dense layers.",
    .classes = {"DeepseekV3", heads::decoder | heads::sequence | heads::token},
    .aliases = aliases,
    .backbone = of_type<deepseek_v3_type>,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::appended_with_tables, .field = "num_nextn_predict_layers"},
    .peft = PeftExperts::converted,
};
extern const Family deepseek_v32{
    .model_type = "deepseek_v32",
    .summary = "Like DeepSeek-V3, with sparse attention (DSA): a lightning indexer in each layer.",
    .classes = {"DeepseekV32", heads::decoder},
    .aliases = aliases_indexed,
    .backbone = of_type<deepseek_v32_type>,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::appended_with_tables, .field = "num_nextn_predict_layers"},
    .peft = PeftExperts::converted,
};
extern const Family glm4_moe_lite{
    .model_type = "glm4_moe_lite",
    .summary = "GLM-4.7-Flash: like DeepSeek-V3, smaller.",
    .classes = {"Glm4MoeLite", heads::decoder},
    .aliases = aliases_lite,
    .backbone = of_type<glm4_moe_lite_type>,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::unknown},
};
extern const Family glm_moe_dsa{
    .model_type = "glm_moe_dsa",
    .summary = "GLM-5: like DeepSeek-V3.2, with indexers that layers can share.",
    .classes = {"GlmMoeDsa", heads::decoder},
    .aliases = aliases_indexed,
    .backbone = of_type<glm_moe_dsa_type>,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::appended, .field = "num_nextn_predict_layers"},
};
extern const Family mistral4{
    .model_type = "mistral4",
    .summary = "Like DeepSeek-V3, with stacked expert weights.",
    .classes = {"Mistral4", heads::decoder | heads::sequence | heads::token},
    .aliases = aliases,
    .backbone = of_type<mistral4_type>,
};

// According to Moonshot's deployment guide, Kimi K2 has DeepSeek-V3's architecture. Its own model type only helps inference engines to
// distinguish the two.
extern const Family kimi_k2{
    .model_type = "kimi_k2",
    .summary = "Kimi K2: identical to DeepSeek-V3.",
    .classes = {"DeepseekV3", heads::decoder | heads::sequence},
    .aliases = aliases,
    .backbone = of_type<deepseek_v3_type>,
    .own_code = true,
};

}  // namespace param_ledger
