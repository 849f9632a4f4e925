// Llama, and the types that have its tensors under defaults and switches of their own: a row each.
// Pre-norm decoder with grouped-query attention, gated feed-forward and RMS norms.
// Source: transformers, models/<type>.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

// Sizes: hidden_size, intermediate_size, num_hidden_layers, vocab_size, num_attention_heads.

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
constexpr LlamaType llama_itself{.sizes = {4096, 11008, 32, 32000, 32}, .switches = both_biases, .divisible = true};
constexpr LlamaType ministral_type{.sizes = {4096, 14336, 32, 32000, 32}, .kv_heads = fixed(8), .head_dim = required(128)};
constexpr LlamaType ministral3_type{.sizes = {4096, 14336, 34, 131072, 32}, .kv_heads = fixed(8), .head_dim = fixed_not_zero(128)};
constexpr LlamaType mistral_type{.sizes = {4096, 14336, 32, 32000, 32}, .kv_heads = fixed(8), .head_dim = share_or_zero};
constexpr LlamaType qwen2_type{.sizes = {4096, 22016, 32, 151936, 32},
                               .kv_heads = fixed_not_null(32),
                               .head_dim = share_or_getattr,
                               .layout = {.attention = {.qkv_bias = true}}};
constexpr LlamaType qwen3_type{.sizes = {4096, 22016, 32, 151936, 32},
                               .kv_heads = fixed_not_null(32),
                               .head_dim = fixed(128),
                               .switches = attention_bias,
                               .layout = {.attention = {.head_norms = HeadNorms::per_head}}};
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
                                 .head_dim = share_or_getattr,
                                 .switches = both_biases,
                                 .layout = tied_head};

constexpr Alias internlm3_aliases[] = {{"qkv_bias", "attention_bias"}, {"bias", "mlp_bias"}};

}  // namespace

const Family cwm{"cwm", "As Llama, without attention biases.", {"Cwm", heads::decoder}, {}, of_type<cwm_type>};
const Family ernie4_5{
    "ernie4_5", "As Llama, with one switch for all biases and a tied head.", {"Ernie4_5", heads::decoder}, {}, of_type<ernie4_5_type>};
const Family internlm3{
    "internlm3", "As Llama, under other defaults.", {"Llama", heads::decoder}, internlm3_aliases, of_type<internlm3_type>};
const Family iquestcoder{"iquestcoder", "As Llama, under other defaults.", {"Llama", heads::decoder}, {}, of_type<iquestcoder_type>};
const Family llama{"llama",
                   "Decoder with grouped-query attention, gated feed-forward and RMS norms.",
                   {"Llama", heads::all, "model", "transformer"},
                   {},
                   of_type<llama_itself>};
const Family ministral{
    "ministral", "As Mistral; head_dim must be given.", {"Ministral", heads::all, "model", "transformer"}, {}, of_type<ministral_type>};
const Family ministral3{"ministral3", "As Mistral, under other defaults.", {"Ministral3", heads::all}, {}, of_type<ministral3_type>};
const Family mistral{"mistral", "As Llama, without biases.", {"Mistral", heads::all}, {}, of_type<mistral_type>};
const Family qwen2{
    "qwen2", "As Llama, with biases on query, key and value.", {"Qwen2", heads::all, "model", "transformer"}, {}, of_type<qwen2_type>};
const Family qwen3{"qwen3",
                   "As Llama, with norms on query and key heads and a head size of its own.",
                   {"Qwen3", heads::all, "model", "transformer"},
                   {},
                   of_type<qwen3_type>};
const Family seed_oss{"seed_oss",
                      "As Llama, with biases on query, key and value and a head size of its own.",
                      {"SeedOss", heads::all, "model", "transformer"},
                      {},
                      of_type<seed_oss_type>};
const Family smollm3{"smollm3", "As Llama, with a tied head.", {"SmolLM3", heads::all, "model", "transformer"}, {}, of_type<smollm3_type>};

}  // namespace param_ledger
