// Kimi Linear and Bailing hybrid (Ling 2.5): Kimi delta attention, and latent attention every few layers; after the first layers, a mixture
// of experts with shared ones.
// Source: transformers, models/kimi_linear, bailing_hybrid.

#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {
    {"num_local_experts", "num_experts"}, {"num_experts_per_tok", "num_experts_per_token"}, {"n_shared_experts", "num_shared_experts"}};
constexpr std::string_view kinds_of_layers[] = {"linear_attention", "full_attention", "mamba", "attention"};

/// Feed-forward blocks: dense in the first layers, or as in mlp_layer_types.
SparseFeedForward feed_forward(Config c, const DecoderSizes& s, std::uint64_t count, std::uint64_t inner, std::uint64_t dense,
                               const Mixture& m) {
  const Mixture experts = mixture_fields(c, s.d,
                                         {.count = count,
                                          .active = 8,
                                          .inner = inner,
                                          .shared = 1,
                                          .count_field = "num_experts",
                                          .active_field = "num_experts_per_token",
                                          .shared_field = "num_shared_experts"},
                                         m);
  return {.layers = listed_sparse_layers(c, s.n_layers, dense_first(s.n_layers, c.integer("first_k_dense_replace", dense))),
          .mixture = experts,
          .dense = s.f};
}

/// The kinds of layers from the lists in linear_attn_config, which count from 1 and must cover all layers.
std::vector<std::string_view> kinds_by_lists(Config c, Config linear, Expr n_layers) {
  require_listable(n_layers);
  std::vector<std::string_view> kinds(static_cast<std::size_t>(n_layers.decide()));
  const auto fill = [&](Text list, Text kind) {
    for (const std::int64_t layer : linear.integers(list).value_or(std::vector<std::int64_t>{})) {
      if (layer < 1 || static_cast<std::uint64_t>(layer) > kinds.size())
        linear.refuse(ErrorCode::out_of_range, list, "names a layer that does not exist.");
      kinds[static_cast<std::size_t>(layer - 1)] = kind;
    }
  };
  fill("full_attn_layers", "full_attention");
  fill("kda_layers", "linear_attention");
  for (const std::string_view kind : kinds)
    if (kind.empty()) c.refuse(ErrorCode::inconsistent, "linear_attn_config", "must name each layer in full_attn_layers or in kda_layers.");
  return kinds;
}

std::vector<std::string_view> kimi_kinds(Config c, Config linear, Expr n_layers) {
  const Json given = c.peek("layer_types");
  if ((!given || given.is_null()) && linear.has("full_attn_layers") && linear.has("kda_layers")) return kinds_by_lists(c, linear, n_layers);
  return layer_kinds(c, "layer_types", n_layers, kinds_of_layers,
                     [](std::uint64_t i) { return i > 0 && i % 4 == 0 ? "full_attention" : "linear_attention"; });
}

BackboneOutput kimi(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2304, 9216, 27, 163840, 32});
  const LatentAttention latent = latent_attention_fields(c, s.d, s.n, {.q_rank = std::nullopt});
  if (c.peek("linear_attn_config").is_null()) c.refuse(ErrorCode::wrong_type, "linear_attn_config", "must be an object, not null.");
  Config linear_section = c.section("linear_attn_config");
  const auto field = [&](Text inside, Text outside, std::uint64_t fallback) {
    return linear_section.has(inside) ? linear_section.integer(inside, fallback) : c.integer(outside, fallback);
  };
  const Expr heads = field("num_heads", "linear_num_heads", 32), h = field("head_dim", "linear_head_dim", 128);
  const Expr kernel = field("short_conv_kernel_size", "linear_conv_kernel_dim", 4), width = heads * h;
  const Split layers = linear_layers(c, s.n_layers, kimi_kinds(c, linear_section, s.n_layers));
  Mixture names = mixtral_experts({});
  names.correction = RouterBias::buffer;
  SparseFeedForward blocks = feed_forward(c, s, 256, 1024, 1, names);
  blocks.name = "block_sparse_moe";

  sparse_decoder(b, {s, blocks}, [&] {
    b.repeat("layers", layers.in, [&] {
      delta_attention(b, "self_attn", {.hidden = s.d, .kernel = kernel, .heads = heads, .head_dim = h, .key_width = width});
      b.scope(Part::state_space, "self_attn", [&] {
        linear(b, "f_a_proj", s.d, h);
        linear(b, "f_b_proj", h, width);
        b.parameter("dt_bias", {width});
        b.parameter("A_log", {c.literal(1), c.literal(1), heads, c.literal(1)});
        linear(b, "g_a_proj", s.d, h);
        linear(b, "g_b_proj", h, width);
      });
    });
    b.repeat("layers", layers.out, [&] { latent_attention(b, "self_attn", latent); });
  });
  return {.hidden = s.d, .vocabulary = s.vocab};
}

BackboneOutput bailing(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2560, 6144, 42, 157184, 32});
  const LatentAttention latent{.hidden = s.d,
                               .heads = s.n,
                               .q_rank = std::nullopt,
                               .kv_rank = c.integer("kv_lora_rank", 512),
                               .nope_dim = c.integer("qk_nope_head_dim", 128),
                               .rope_dim = c.integer("qk_rope_head_dim", 64),
                               .value_dim = c.integer("v_head_dim", 128),
                               .bias = c.flag("attention_bias", false),
                               .output = "dense"};
  const Expr heads = c.integer("linear_num_heads", attribute.or_else(s.n)),
             h = c.integer("linear_head_dim", attribute.or_else(c.integer("head_dim", 128)));
  const Expr kernel = c.integer("linear_conv_kernel_dim", attribute.or_else(c.integer("short_conv_kernel_size", 4))), width = heads * h;
  const Expr group = c.integer("layer_group_size", 6, 1);
  const Split layers = linear_layers(c, s.n_layers, [&](std::size_t i) { return (i + 1) % group.decide() == 0; });
  const SparseFeedForward blocks =
      feed_forward(c, s, 512, 768, 2, {.correction = RouterBias::buffer, .correction_name = "gate.expert_bias"});

  // transformers' renaming depends on the module that contains the backbone.
  SparseDecoder decoder{s, blocks};
  if (!b.architecture().backbone.empty()) decoder.table = "word_embeddings";
  sparse_decoder(b, decoder, [&] {
    b.repeat("layers", layers.in, [&] {
      delta_attention(b, "attention",
                      {.hidden = s.d, .kernel = kernel, .heads = heads, .head_dim = h, .key_width = width, .output = "dense"});
      b.scope(Part::state_space, "attention", [&] {
        linear(b, "f_proj", s.d, width);
        b.parameter("dt_bias", {width});
        b.parameter("A_log", {heads});
        linear(b, "g_proj", s.d, width);
      });
    });
    b.repeat("layers", layers.out, [&] {
      latent_attention(b, "attention", latent);
      b.scope(Part::attention, "attention", [&] { linear(b, "g_proj", s.d, s.n, false, TensorRole::attention_gate); });
    });
  });
  return {.hidden = s.d, .vocabulary = s.vocab};
}

}  // namespace

extern const Family kimi_linear{
    .model_type = "kimi_linear",
    .summary = "Kimi delta attention and latent attention in turn; a mixture of experts after the first layers.",
    .classes = {"KimiLinear", heads::decoder},
    .aliases = aliases,
    .backbone = kimi,
    .cache = caches::all_tokens,
};
extern const Family bailing_hybrid{
    .model_type = "bailing_hybrid",
    .summary = "As Kimi Linear, with gated latent attention and gates of full rank.",
    .classes = {"BailingHybrid", heads::decoder},
    .aliases = aliases,
    .backbone = bailing,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
