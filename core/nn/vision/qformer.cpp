#include "core/nn/vision/qformer.hpp"

#include "core/config/constraints.hpp"
#include "core/nn/layer_kinds.hpp"

namespace param_ledger {

namespace {

/// The layers with cross-attention: the first, and every `every`-th after it.
IndexSet crossing_layers(Config c, Expr n_layers, Expr every) {
  if (n_layers.decide() > 0) require_positive(every);
  return layers_where(c, n_layers, "num_crossing_layers", "L_x", "Q-Former layers with cross-attention to the vision model.",
                      [&](std::size_t i) { return i % every.decide() == 0; });
}

}  // namespace

BackboneOutput blip_vision(Config c, Builder& b, const BlipVision& type) {
  VisionLayers m = vision_fields(c, type.sizes, {.attention = {.qkv_bias = true, .output_bias = true, .fused = "qkv", .o = "projection"}});
  if (type.bias_switch) m.attention.qkv_bias = c.flag("qkv_bias", true);
  const Expr d = m.attention.hidden, three = c.literal(3);
  const Image image{three, c.integer("image_size", type.sizes.side), c.integer("patch_size", type.sizes.patch)};
  b.scope(Part::embedding, "embeddings", [&] {
    tokens(b, "class_embedding", 1, d);
    tokens(b, "position_embedding", image.patches() + 1, d, TensorRole::position_embedding);
    patch_embedding(b, "patch_embedding", image.channels, d, image.patch);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "post_layernorm", d);
  return {.hidden = d};
}

QFormer qformer_fields(Config c, Expr memory, bool text) {
  const DecoderSizes s = decoder_sizes(c, {768, 3072, 12, 30522, 12});
  const Expr every = c.integer("cross_attention_frequency", 2), positions = c.integer("max_position_embeddings", 512);
  if (memory)
    c.ignore("encoder_hidden_size", "The vision model's width is used.");
  else
    memory = c.integer("encoder_hidden_size", 1408);
  QFormer m{.hidden = s.d,
            .inner = s.f,
            .n_layers = s.n_layers,
            .heads = s.n,
            .memory = memory,
            .vocab = s.vocab,
            .positions = positions,
            .text = text};
  m.crossing = crossing_layers(c, s.n_layers, every);
  return m;
}

QFormer qformer_as_wide_as_vision(Config c, Expr width, std::uint64_t layers, std::uint64_t every) {
  constexpr std::uint64_t head_dim = 64;
  for (const Text name : {"hidden_size", "encoder_hidden_size"}) c.ignore(name, "The vision model's width is used.");
  c.ignore("num_attention_heads", "There is one head for every 64 dimensions of the vision model.");
  const Expr n_layers = c.integer("num_hidden_layers", layers), f = c.integer("intermediate_size", 3072);
  const Expr gap = c.integer("cross_attention_frequency", every);
  return {.hidden = width,
          .inner = f,
          .n_layers = n_layers,
          .heads = floor_divide(width, c.literal(head_dim)),
          .memory = width,
          .crossing = crossing_layers(c, n_layers, gap),
          .text = c.flag("use_qformer_text_input", false)};
}

void qformer_layers(Builder& b, const QFormer& m) {
  const Expr d = m.hidden;
  const auto asks = [&](Text name, Expr memory) {
    attention(b, name,
              {.hidden = d,
               .heads = m.heads,
               .memory = memory,
               .qkv_bias = true,
               .output_bias = true,
               .q = "attention.query",
               .k = "attention.key",
               .v = "attention.value",
               .o = "output.dense",
               .is_cross_attention = static_cast<bool>(memory)});
    b.scope(name, [&] { layer_norm(b, "output.LayerNorm", d); });
  };
  const auto feed_forward = [&](Text up, Text down) {
    mlp(b, "", d, m.inner, true, concat({up, ".dense"}), concat({down, ".dense"}));
    layer_norm(b, concat({down, ".LayerNorm"}), d);
  };
  b.repeat("encoder.layer", all(m.n_layers), [&] { asks("attention", {}); });
  b.repeat("encoder.layer", m.crossing, [&] { asks("crossattention", m.memory); });
  b.repeat("encoder.layer", all(m.n_layers), [&] {
    if (m.text) feed_forward("intermediate", "output");
    feed_forward("intermediate_query", "output_query");
  });
}

}  // namespace param_ledger
