// Llama, and the types that have its tensors under defaults and switches of their own: a row each.
// Pre-norm decoder with grouped-query attention, gated feed-forward and RMS norms.
// Source: transformers, models/<type>.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

/// How a type comes by head_dim and num_key_value_heads: a number of its own, or what other fields say (`otherwise`: each
/// head's share of the hidden size; as many as there are query heads).
struct Default {
  enum class Mode : std::uint8_t {
    otherwise,           ///< where missing or null
    otherwise_getattr,   ///< where missing; null is an error
    otherwise_for_zero,  ///< where missing, null or 0
    fixed,               ///< the number where missing
    fixed_not_zero,      ///< the number where missing, otherwise for 0
    fixed_not_null,      ///< the number where missing, otherwise for null
    required,            ///< it must be given
  };
  Mode mode = Mode::otherwise;
  std::uint64_t number = 0;

  [[nodiscard]] Expr read(Config c, std::string_view field, Expr otherwise) const {
    switch (mode) {
      case Mode::otherwise: return c.integer(field, otherwise);
      case Mode::otherwise_getattr: return c.attribute(field, otherwise);
      case Mode::otherwise_for_zero: return or_if_zero(c.integer(field, otherwise), otherwise);
      case Mode::fixed: return c.integer(field, number);
      case Mode::fixed_not_zero: return or_if_zero(c.integer(field, number), otherwise);
      case Mode::fixed_not_null: return c.integer(field, number, otherwise);
      case Mode::required: break;
    }
    return c.required_integer(field, number);
  }

 private:
  static Expr or_if_zero(Expr value, Expr otherwise) { return value.value() == 0 ? otherwise : value; }
};

using Mode = Default::Mode;
constexpr Default fixed(std::uint64_t number) { return {Mode::fixed, number}; }
constexpr Default fixed_not_null(std::uint64_t number) { return {Mode::fixed_not_null, number}; }

/// Which linear layers have biases.
enum class Biases : std::uint8_t {
  none,
  qkv,            ///< always on query, key and value
  attention,      ///< where attention_bias says so
  mlp,            ///< where mlp_bias says so
  both,           ///< attention_bias and mlp_bias
  both_together,  ///< the same, which must be equal
  use_bias,       ///< one switch for all
};

/// A row of the table: what a type with Llama's tensors says of its own.
struct LlamaType {
  DecoderDefaults sizes;
  Default kv_heads = {};
  Default head_dim = {};
  Biases biases = Biases::none;
  bool divisible = false;          ///< hidden_size must be a multiple of num_attention_heads
  bool scaled_by_head_dim = true;  ///< else scores are scaled by a factor of their own
  HeadNorms head_norms = HeadNorms::none;
  bool tied = false;
  std::string_view per_layer = {};  ///< a list that must have an entry for each layer, though no tensor depends on it
};

void read_biases(Config c, Biases biases, LlamaDecoder& m) {
  Attention& a = m.attention;
  switch (biases) {
    case Biases::none: break;
    case Biases::qkv: a.qkv_bias = true; break;
    case Biases::use_bias: a.qkv_bias = a.output_bias = m.mlp_bias = c.flag("use_bias", false, Null::allowed); break;
    case Biases::mlp: m.mlp_bias = c.flag("mlp_bias", false); break;
    case Biases::attention: a.qkv_bias = a.output_bias = c.flag("attention_bias", false); break;
    case Biases::both:
    case Biases::both_together:
      a.qkv_bias = a.output_bias = c.flag("attention_bias", false);
      m.mlp_bias = c.flag("mlp_bias", false);
      if (biases == Biases::both_together && a.qkv_bias != m.mlp_bias)
        c.refuse(ErrorCode::inconsistent, "mlp_bias", "must equal attention_bias.");
  }
}

Backbone llama_type(Config c, Builder& b, const LlamaType& type) {
  LlamaDecoder m = llama_fields(c, type.sizes);
  const Expr d = m.attention.hidden, n = m.attention.heads;
  m.attention.kv_heads = type.kv_heads.read(c, "num_key_value_heads", n);
  m.attention.head_dim = type.head_dim.read(c, "head_dim", floor_divide(d, n));
  m.attention.scaled_by_head_dim = type.scaled_by_head_dim;
  m.attention.head_norms = type.head_norms;
  read_biases(c, type.biases, m);
  if (type.divisible) require_multiple(d, n);
  if (!type.per_layer.empty()) c.require_length_of(type.per_layer, m.n_layers);
  Backbone out = llama_decoder(b, m);
  out.tie_by_default = type.tied;
  return out;
}

template <const LlamaType& type>
Backbone of_type(Config c, Builder& b) {
  return llama_type(c, b, type);
}

// Sizes: hidden_size, intermediate_size, num_hidden_layers, vocab_size, num_attention_heads.

constexpr LlamaType cwm_type{
    .sizes = {6144, 21504, 64, 128256, 48}, .kv_heads = fixed(8), .head_dim = fixed(128), .biases = Biases::mlp, .divisible = true};
constexpr LlamaType ernie4_5_type{.sizes = {1024, 3072, 18, 103424, 16},
                                  .kv_heads = fixed_not_null(2),
                                  .head_dim = fixed_not_null(128),
                                  .biases = Biases::use_bias,
                                  .tied = true};
constexpr LlamaType gemma_type{
    .sizes = {3072, 24576, 28, 256000, 16}, .kv_heads = fixed(16), .head_dim = fixed(256), .biases = Biases::attention, .tied = true};
constexpr LlamaType granite_type{.sizes = {4096, 11008, 32, 32000, 32},
                                 .head_dim = {Mode::otherwise_getattr},
                                 .biases = Biases::both,
                                 .scaled_by_head_dim = false};  // but by attention_multiplier
constexpr LlamaType internlm3_type{.sizes = {4096, 10240, 48, 128512, 32},
                                   .kv_heads = fixed_not_null(2),
                                   .head_dim = fixed_not_null(128),
                                   .biases = Biases::both_together,
                                   .divisible = true};
constexpr LlamaType iquestcoder_type{.sizes = {5120, 27648, 80, 76800, 40},
                                     .kv_heads = fixed_not_null(8),
                                     .head_dim = fixed_not_null(128),
                                     .biases = Biases::both,
                                     .divisible = true};
constexpr LlamaType llama_itself{.sizes = {4096, 11008, 32, 32000, 32}, .biases = Biases::both, .divisible = true};
constexpr LlamaType ministral_type{.sizes = {4096, 14336, 32, 32000, 32}, .kv_heads = fixed(8), .head_dim = {Mode::required, 128}};
constexpr LlamaType ministral3_type{.sizes = {4096, 14336, 34, 131072, 32}, .kv_heads = fixed(8), .head_dim = {Mode::fixed_not_zero, 128}};
constexpr LlamaType mistral_type{.sizes = {4096, 14336, 32, 32000, 32}, .kv_heads = fixed(8), .head_dim = {Mode::otherwise_for_zero}};
constexpr LlamaType qwen2_type{
    .sizes = {4096, 22016, 32, 151936, 32}, .kv_heads = fixed_not_null(32), .head_dim = {Mode::otherwise_getattr}, .biases = Biases::qkv};
constexpr LlamaType qwen3_type{.sizes = {4096, 22016, 32, 151936, 32},
                               .kv_heads = fixed_not_null(32),
                               .head_dim = fixed(128),
                               .biases = Biases::attention,
                               .head_norms = HeadNorms::per_head};
constexpr LlamaType smollm3_type{.sizes = {2048, 11008, 36, 128256, 16},
                                 .kv_heads = fixed_not_null(4),
                                 .head_dim = {Mode::otherwise_getattr},
                                 .biases = Biases::both,
                                 .tied = true,
                                 .per_layer = "no_rope_layers"};

constexpr Alias internlm3_aliases[] = {{"qkv_bias", "attention_bias"}, {"bias", "mlp_bias"}};

}  // namespace

const Family cwm{"cwm", "As Llama, without attention biases.", {"Cwm", heads::decoder}, {}, of_type<cwm_type>};
const Family ernie4_5{
    "ernie4_5", "As Llama, with one switch for all biases and a tied head.", {"Ernie4_5", heads::decoder}, {}, of_type<ernie4_5_type>};
const Family gemma{"gemma",
                   "As Llama, with a head size of its own and a tied head.",
                   {"Gemma", heads::decoder | heads::sequence | heads::token},
                   {},
                   of_type<gemma_type>};
const Family granite{
    "granite", "As Llama, with scaling factors that are no parameters.", {"Granite", heads::decoder}, {}, of_type<granite_type>};
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
const Family smollm3{"smollm3", "As Llama, with a tied head.", {"SmolLM3", heads::all, "model", "transformer"}, {}, of_type<smollm3_type>};

}  // namespace param_ledger
