// Gemma 4, text: like Gemma 3, with attention sizes of their own in layers with full attention. The last layers can reuse the keys and
// values of earlier ones. Except in the unified model, each layer can also have a per-layer input, and experts in parallel to the
// feed-forward block. The file also has the text models of Gemma 4's draft models, which have neither and by default read the target
// model's keys and values, and of DiffusionGemma, which has no per-layer input and always has experts.
// Source: transformers, models/gemma4, gemma4_unified, gemma4_assistant, gemma4_unified_assistant, diffusion_gemma.

#include "core/nn/text/gemma.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

/// The text models of this file: Gemma 4's, the unified model's, those of their draft models (assistants), and DiffusionGemma's.
enum class Member : std::uint8_t { gemma4, unified, assistant, unified_assistant, diffusion };

constexpr std::string_view kinds_of_layers[] = {"sliding_attention", "full_attention"};
constexpr std::string_view overridden[] = {"head_dim", "num_key_value_heads"};

std::vector<std::string_view> kinds_of(Config c, Expr n_layers) {
  auto kinds = layer_kinds(c, "layer_types", n_layers, kinds_of_layers,
                           [](std::uint64_t i) { return (i + 1) % 6 == 0 ? "full_attention" : "sliding_attention"; });
  if (!kinds.empty()) kinds.back() = "full_attention";  // transformers always gives the last layer full attention
  return kinds;
}

/// The attention sizes of layers with a sliding window and of those with full attention.
struct Kinds {
  Attention sliding, full;
};

/// Determines the attention sizes of both kinds of layers: from global_head_dim and num_global_key_value_heads (used only if keys are also
/// values), or from per_layer_config, which transformers writes instead.
Kinds attention_kinds(Config c, Expr n_layers, const std::vector<std::string_view>& kinds, const Attention& a, bool keys_are_values) {
  Attention sliding = a, full = a;
  if (const LayerOverrides own{c, n_layers, overridden}) {
    sliding.head_dim = own.of(kinds, "sliding_attention", "head_dim", a.head_dim, "h_s");
    sliding.kv_heads = own.of(kinds, "sliding_attention", "num_key_value_heads", a.kv_heads, "n_s");
    full.head_dim = own.of(kinds, "full_attention", "head_dim", a.head_dim, "h_g");
    full.kv_heads = own.of(kinds, "full_attention", "num_key_value_heads", a.kv_heads, "n_g");
  } else {
    full.head_dim = c.integer("global_head_dim", 512);
    const std::optional<Expr> n_global = c.optional_integer("num_global_key_value_heads");
    if (n_global && keys_are_values) full.kv_heads = *n_global;
  }
  return {sliding, full};
}

/// Records a feed-forward block in each layer. If use_double_wide_mlp is true, it is twice as wide in layers that reuse keys and values.
void feed_forward_layers(Builder& b, Expr d, Expr f, Expr n_layers, Expr n_own, bool double_wide) {
  const Expr n_wide_from = double_wide ? n_own : n_layers;
  b.repeat("layers", all(n_wide_from), [&] { gated_mlp(b, "mlp", d, f); });
  b.repeat("layers", between(n_wide_from, n_layers), [&] { gated_mlp(b, "mlp", d, 2 * f); });
}

/// Records experts that run in parallel to the feed-forward block and read the same residual stream. DiffusionGemma always has them, other
/// types only if enable_moe_block is true.
void experts(Config c, Builder& b, Expr d, Expr n_layers, bool always) {
  const std::optional<Expr> count = c.optional_integer("num_experts"), inner = c.optional_integer("moe_intermediate_size");
  const std::optional<Expr> active = c.optional_integer("top_k_experts");
  if (!always && !c.flag("enable_moe_block", false)) return;
  const Text missing = always ? "must be given." : "must be given if enable_moe_block is true.";
  if (!count) c.refuse(ErrorCode::missing_field, "num_experts", missing);
  if (!inner) c.refuse(ErrorCode::missing_field, "moe_intermediate_size", missing);
  const Mixture m{.hidden = d,
                  .count = *count,
                  .active = active.value_or(Expr{}),
                  .inner = *inner,
                  .layout = ExpertLayout::stacked,
                  .router = "router.proj"};
  b.repeat("layers", all(n_layers), [&] {
    rms_norm(b, "pre_feedforward_layernorm_2", d);
    b.scope(Part::router, "router", [&] {
      b.parameter("scale", {d});
      b.parameter("per_expert_scale", {*count});
    });
    mixture(b, "", m);
    rms_norm(b, "post_feedforward_layernorm_1", d);
    rms_norm(b, "post_feedforward_layernorm_2", d);
  });
}

/// The number of layers of a draft model that have their own keys and values. If num_kv_shared_layers is missing or 0, no layer has them,
/// and all layers read those of the target model. transformers 5.23 does not build such a model, because it expects an earlier layer to
/// store what later ones read, but 5.12 does, and the published draft models are such models.
Expr assistant_layers_with_keys(Config c, Expr n_layers, const std::vector<std::string_view>& kinds, Member member) {
  const Expr n_shared = c.integer("num_kv_shared_layers", {Default::Missing::derived, Null::refused, Default::Sentinel::zero, 0, n_layers});
  if (equal(n_shared, n_layers)) return c.literal(0);
  if (member == Member::assistant)
    c.refuse(ErrorCode::inconsistent, "num_kv_shared_layers",
             "must be num_hidden_layers or 0: all layers read the keys of the target model.");
  return layers_before_shared(c, n_layers, n_shared, kinds);
}

/// Throws if a draft model has per-layer inputs or experts, as transformers does.
void require_plain_layers(Config c) {
  for (const Text name : {"hidden_size_per_layer_input", "vocab_size_per_layer_input"})
    if (!is_zero(c.integer(name, required(0)))) c.refuse(ErrorCode::out_of_range, name, "must be 0 in a draft model.");
  if (c.flag("enable_moe_block", false)) c.refuse(ErrorCode::inconsistent, "enable_moe_block", "must be false in a draft model.");
}

BackboneOutput text_model(Config c, Builder& b, Member member) {
  const bool drafts = member == Member::assistant || member == Member::unified_assistant, diffusion = member == Member::diffusion;
  const DecoderSizes s = decoder_sizes(c, {2304, 9216, 30, 262144, 8});
  const Expr n_kv = c.integer("num_key_value_heads", 4), h = c.integer("head_dim", 256);
  const bool bias = c.flag("attention_bias", false), keys_are_values = diffusion || c.flag("attention_k_eq_v", false);
  const auto kinds = kinds_of(c, s.n_layers);
  const Kinds attention = attention_kinds(
      c, s.n_layers, kinds, {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias},
      keys_are_values);
  Expr n_own = s.n_layers;
  if (drafts)
    n_own = assistant_layers_with_keys(c, s.n_layers, kinds, member);
  else if (!diffusion)
    n_own = layers_with_keys(c, s.n_layers, 0, kinds);
  const bool double_wide = !diffusion && c.flag("use_double_wide_mlp", false);
  if (drafts && double_wide && (member == Member::assistant || is_zero(n_own)))
    c.refuse(ErrorCode::inconsistent, "use_double_wide_mlp", "must be false in a draft model whose layers all reuse keys and values.");
  const auto is_full = [&](std::size_t i) { return kinds[i] == "full_attention"; };
  const Split layers = split(c, s.n_layers, "num_full_attention_layers", "L_a", "Layers with full attention.", is_full);
  const Split own = n_own == s.n_layers ? layers
                                        : split(c, n_own, "num_full_attention_layers_with_keys", "L_k",
                                                "Layers with full attention and their own keys.", is_full);

  BackboneOutput out = decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      b.part(Part::norm, [&] { b.buffer("layer_scalar", {c.literal(1)}); });
      rms_norm(b, "input_layernorm", s.d);
    });
    b.repeat("layers", layers.out, [&] { attention_queries(b, "self_attn", attention.sliding); });
    b.repeat("layers", own.out, [&] { attention_keys(b, "self_attn", attention.sliding); });
    b.repeat("layers", layers.in, [&] { attention_queries(b, "self_attn", attention.full); });
    b.repeat("layers", own.in, [&] { attention_keys(b, "self_attn", attention.full, !keys_are_values); });
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "post_attention_layernorm", s.d);
      rms_norm(b, "pre_feedforward_layernorm", s.d);
    });
    feed_forward_layers(b, s.d, s.f, s.n_layers, n_own, double_wide);
    if (member == Member::gemma4 || diffusion) experts(c, b, s.d, s.n_layers, diffusion);
    b.repeat("layers", all(s.n_layers), [&] { rms_norm(b, "post_feedforward_layernorm", s.d); });
    if (member == Member::assistant) require_plain_layers(c);
    if (member == Member::gemma4) {
      const Expr vocab_per_layer = c.integer("vocab_size_per_layer_input", 262144);
      const LayerInput input{
          .hidden = s.d, .n_layers = s.n_layers, .vocabulary = vocab_per_layer, .width = c.integer("hidden_size_per_layer_input", 256)};
      if (is_zero(input.width)) return;
      layer_inputs(b, input);
      b.repeat("layers", all(s.n_layers), [&] { layer_input(b, input); });
    }
  });
  out.tie_by_default = true;
  return out;
}

template <Member member>
BackboneOutput backbone(Config c, Builder& b) {
  return text_model(c, b, member);
}

constexpr Architecture classes[] = {
    {"Gemma4ForCausalLM", Head::causal_lm, "model"},
    {"Gemma4TextModel", Head::none, ""},
};
constexpr Architecture unified_classes[] = {
    {"Gemma4UnifiedForCausalLM", Head::causal_lm, "model"},
    {"Gemma4UnifiedTextModel", Head::none, ""},
};

/// Whether a layer has a sliding window in a configuration without layer_types.
bool slides(Config /*c*/, std::size_t layer, std::size_t /*n_layers*/) { return (layer + 1) % 6 != 0; }

constexpr Cache cache_of(std::uint16_t window) {
  return caches::windows({.layers = Window::Layers::listed, .size = window, .last_keeps = true, .slides = slides});
}

}  // namespace

extern const Family gemma4_text{
    .model_type = "gemma4_text",
    .summary = "Like Gemma 3, with two attention sizes, shared KV layers, per-layer inputs and optional experts.",
    .classes = {.listed = classes},
    .backbone = backbone<Member::gemma4>,
    .cache = cache_of(512),
};
extern const Family gemma4_unified_text{
    .model_type = "gemma4_unified_text",
    .summary = "Like Gemma 4, without per-layer inputs or experts.",
    .classes = {.listed = unified_classes},
    .backbone = backbone<Member::unified>,
    .cache = cache_of(1024),
};

// Parts of the models in gemma4_assistant.cpp and diffusion_gemma.cpp. They are not model types of their own.
extern const Family gemma4_assistant_text{.model_type = "gemma4_text", .backbone = backbone<Member::assistant>};
extern const Family gemma4_unified_assistant_text{.model_type = "gemma4_unified_text", .backbone = backbone<Member::unified_assistant>};
extern const Family diffusion_gemma_text{.model_type = "diffusion_gemma_text", .backbone = backbone<Member::diffusion>};

}  // namespace param_ledger
