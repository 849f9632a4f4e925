// Inkling, text: attention whose scores are shifted by learned relative positions, full or over a window; short convolutions after keys,
// values and each block; a mixture of experts in which the router scores the shared ones, too.
// Source: transformers, models/inkling.

#include "core/inference.hpp"
#include "core/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"InklingForCausalLM", Head::causal_lm, "model"}, {"InklingTextModel", Head::none, ""}};

constexpr Alias aliases[] = {
    {"sliding_window", "sliding_window_size"}, {"num_local_experts", "n_routed_experts"}, {"sconv_kernel_size", "conv_kernel_size"}};
constexpr std::string_view kinds_of_layers[] = {"hybrid_sliding", "hybrid"};

/// The layers whose attention sees a window: layer_types, or local_layer_ids, or all but every sixth.
Split sliding_layers(Config c, Expr n_layers) {
  const auto given = c.integers("local_layer_ids");
  const LayerList local(given.value_or(std::vector<std::int64_t>{}));
  const auto kinds = layer_kinds(c, "layer_types", n_layers, kinds_of_layers, [&](std::size_t i) {
    const bool sliding = given ? local.has(i) : (i + 1) % 6 != 0;
    return sliding ? "hybrid_sliding" : "hybrid";
  });
  return split(c, n_layers, "num_sliding_layers", "L_w", "Layers with a sliding window.",
               [&](std::size_t i) { return kinds[i] == "hybrid_sliding"; });
}

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {6144, 24576, 66, 201024, 64});
  const Expr d = s.d, width = c.integer("d_rel", 16), kernel = c.integer("conv_kernel_size", 4);
  const Attention full{.hidden = d,
                       .heads = s.n,
                       .kv_heads = c.integer("num_key_value_heads", 8),
                       .head_dim = c.integer("head_dim", 128),
                       .head_norms = HeadNorms::per_head};
  const Attention sliding{.hidden = d,
                          .heads = c.integer("swa_num_attention_heads", 64, 1),
                          .kv_heads = c.integer("swa_num_key_value_heads", 16),
                          .head_dim = c.integer("swa_head_dim", 128),
                          .head_norms = HeadNorms::per_head};
  const Expr extent = c.integer("rel_extent", 1024), window = c.integer("sliding_window_size", 512);
  const Split layers = sliding_layers(c, s.n_layers);
  // Published configurations call an expert's width intermediate_size, and that of a dense block otherwise.
  const Json renamed = c.peek("dense_intermediate_size");
  const bool published = renamed && !renamed.is_null();
  const Expr f = published ? c.integer("dense_intermediate_size", s.f) : s.f;
  Mixture m = mixture_fields(c, d, {.count = 256, .active = 6, .inner = published ? 0U : 3072U}, {.layout = ExpertLayout::stacked});
  if (published) m.inner = s.f;
  const Expr n_shared = c.integer("n_shared_experts", 2), n_dense = c.integer("dense_mlp_idx", 0);
  const Split mixtures = listed_sparse_layers(c, s.n_layers, n_dense);

  const auto attend = [&](const Attention& a, Expr positions) {
    attention(b, "self_attn", a);
    b.scope(Part::attention, "self_attn", [&] {
      linear(b, "r_proj", d, a.heads * width);
      for (const Text name : {"k_sconv.conv1d", "v_sconv.conv1d"}) depthwise_conv1d(b, name, a.kv_heads * a.head_dim, kernel, false);
      b.parameter("rel_logits_proj.proj", {width, positions}, Role::matrix);
      if (a.heads.value() > 0) multiply_again(b, (a.heads - 1) * width * positions);  // one for all heads
      for (const Text name : {"conv_states.0", "conv_states.1"}) keep(b, name, {a.kv_heads * a.head_dim, kernel}, {}, true);
    });
  };
  Backbone out = decoder(b, s.vocab, d, [&] {
    rms_norm(b, "embed_tokens.embed_norm", d);
    b.repeat("layers", all(s.n_layers), [&] { rms_norm(b, "input_layernorm", d); });
    b.repeat("layers", layers.out, [&] { attend(full, extent); });
    b.repeat("layers", layers.in, [&] { attend(sliding, window); });
    b.repeat("layers", all(s.n_layers), [&] {
      b.part(Part::attention, [&] { depthwise_conv1d(b, "attn_sconv.conv1d", d, kernel, false); });
      rms_norm(b, "post_attention_layernorm", d);
      b.part(Part::feed_forward, [&] { depthwise_conv1d(b, "mlp_sconv.conv1d", d, kernel, false); });
      for (const Text name : {"conv_states.2", "conv_states.3"}) keep(b, name, {d, kernel}, {}, true);
    });
    b.repeat("layers", mixtures.out, [&] {
      gated_mlp(b, "mlp", d, f);
      b.part(Part::feed_forward, [&] { b.parameter("mlp.global_scale", {c.literal(1)}); });
    });
    b.repeat("layers", mixtures.in, [&] {
      b.scope("mlp", [&] {
        b.scope(Part::router, "gate", [&] {
          linear(b, "", d, m.count + n_shared);
          b.parameter("global_scale", {c.literal(1)});
          b.buffer("e_score_correction_bias", {m.count});
        });
        routed_experts(b, m);
        b.scope(Part::feed_forward, "shared_experts", [&] {
          for (const Text name : {"gate_proj", "up_proj"}) b.parameter(name, {n_shared, m.inner, d}, Role::matrix);
          b.parameter("down_proj", {n_shared, d, m.inner}, Role::matrix);
        });
      });
    });
  });
  out.vocabulary = s.vocab;
  out.embedding = {};  // transformers ties nothing
  return out;
}

}  // namespace

extern const Family inkling_text{
    .model_type = "inkling_text",
    .summary = "Relative attention with short convolutions, full or windowed; routed and shared experts.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::windows(
        {.layers = Window::Layers::every, .size = 512, .period = 6, .ids_field = "local_layer_ids", .field = "sliding_window_size"}),
};

}  // namespace param_ledger
