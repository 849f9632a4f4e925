#include "core/nn/vision/qwen_vision.hpp"

namespace param_ledger {

QwenVision qwen_vision_fields(Config c, Text width, const QwenVisionDefaults& defaults) {
  c.consume("model_type");
  QwenVision m{.layers = {.attention = {.even_share = false, .qkv_bias = true, .output_bias = true, .fused = "qkv", .o = "proj"},
                          .layers = "blocks",
                          .attention_name = "attn",
                          .norm1 = "norm1",
                          .norm2 = "norm2",
                          .up = "linear_fc1",
                          .down = "linear_fc2"}};
  m.layers.attention.hidden = c.integer(width, defaults.hidden);
  m.layers.n_layers = c.integer("depth", defaults.layers);
  m.layers.attention.heads = c.integer("num_heads", defaults.heads, 1);
  m.channels = c.integer("in_channels", 3);
  m.patch = c.integer("patch_size", defaults.patch);
  if (defaults.frames > 0) m.frames = c.integer("temporal_patch_size", defaults.frames);
  if (defaults.merged > 0) m.merged = power(c.integer("spatial_merge_size", defaults.merged), 2) * m.layers.attention.hidden;
  return m;
}

void qwen_vision_layers(Builder& b, const QwenVision& m, bool patch_bias, Expr positions) {
  const Expr d = m.layers.attention.hidden;
  b.part(Part::embedding, [&] {
    tubelet_embedding(b, "patch_embed.proj", m.channels, d, {m.frames, m.patch, m.patch}, patch_bias);
    if (positions) table(b, "pos_embed", positions, d);
  });
  vision_layers(b, m.layers);
}

void qwen_merger(Builder& b, const QwenVision& m, Norm kind, Expr out) {
  b.tower(Tower::projector, "merger", [&] {
    norm(b, kind, "ln_q", m.layers.attention.hidden);
    linear(b, "mlp.0", m.merged, m.merged, true);
    linear(b, "mlp.2", m.merged, out, true);
  });
}

BackboneOutput qwen2_5_vision(Config c, Builder& b, bool grouped) {
  QwenVision m = qwen_vision_fields(c, "hidden_size", {3584, 32, 14});
  m.layers.inner = c.integer("intermediate_size", 3420);
  m.layers.norm = Norm::rms;
  m.layers.gated = true;
  if (grouped) {
    Attention& a = m.layers.attention;
    a.kv_heads = c.integer("num_key_value_heads", 8);
    a.head_dim = floor_divide(a.hidden, a.heads);
    a.output_from = a.hidden;
  }
  const Expr out = c.integer("out_hidden_size", 3584);
  qwen_vision_layers(b, m, false);
  qwen_merger(b, m, Norm::rms, out);
  return {.hidden = out};
}

BackboneOutput qwen3_vision(Config c, Builder& b, bool deepstack) {
  QwenVision m = qwen_vision_fields(c, "hidden_size", {1152, 27, 16});
  const Expr d = m.layers.attention.hidden;
  m.layers.inner = c.integer("intermediate_size", 4304);
  const Expr out = c.integer("out_hidden_size", 3584), positions = c.integer("num_position_embeddings", 2304);
  const auto merger = [&](Expr normed) {
    layer_norm(b, "norm", normed);
    linear(b, "linear_fc1", m.merged, m.merged, true);
    linear(b, "linear_fc2", m.merged, out, true);
  };
  qwen_vision_layers(b, m, true, positions);
  b.tower(Tower::projector, "merger", [&] { merger(d); });
  if (!deepstack) return {.hidden = out};
  if (c.peek("deepstack_visual_indexes").is_null())
    c.refuse(ErrorCode::wrong_type, "deepstack_visual_indexes", "must be a list of integers.");
  const std::size_t taken = c.integers("deepstack_visual_indexes", {8, 16, 24}).size();
  const Expr n_taken = c.count("num_deepstack_layers", "L_ds", "Vision layers whose outputs the text model also reads (DeepStack).", taken);
  b.repeat("deepstack_merger_list", all(n_taken), [&] { b.tower(Tower::projector, "", [&] { merger(m.merged); }); });
  return {.hidden = out};
}

}  // namespace param_ledger
