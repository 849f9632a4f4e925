// DINOv3's vision transformer: RoPE, register tokens, LayerScale, and a separate bias flag for each attention projection. Source:
// transformers, models/dinov3_vit.

#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 384), f = c.integer("intermediate_size", 1536), n_layers = c.integer("num_hidden_layers", 12);
  const Expr heads = c.integer("num_attention_heads", 6, 1), channels = c.integer("num_channels", 3);
  const Sides patch = c.sides("patch_size", 16);
  const Expr registers = c.integer("num_register_tokens", 0);
  const bool query = c.flag("query_bias", true), key = c.flag("key_bias", false), value = c.flag("value_bias", true),
             out = c.flag("proj_bias", true), wide = c.flag("mlp_bias", true), gated = c.flag("use_gated_mlp", false);
  require_positive(patch.height);
  require_positive(patch.width);
  require_positive(floor_divide(d, heads));  // RoPE needs heads with at least one dimension
  b.scope(Part::embedding, "embeddings", [&] {
    for (const Text token : {"cls_token", "mask_token"}) tokens(b, token, 1, d);
    tokens(b, "register_tokens", registers, d);
    conv2d(b, "patch_embeddings", channels, d, patch);
  });
  b.repeat("layer", all(n_layers), [&] {
    layer_norm(b, "norm1", d);
    b.scope(Part::attention, "attention", [&] {
      linear(b, "q_proj", d, d, query, TensorRole::query);
      linear(b, "k_proj", d, d, key, TensorRole::key);
      linear(b, "v_proj", d, d, value, TensorRole::value);
      linear(b, "o_proj", d, d, out, TensorRole::output);
    });
    b.part(Part::attention, [&] { layer_scale(b, "layer_scale1.lambda1", d); });
    layer_norm(b, "norm2", d);
    gated ? gated_mlp(b, "mlp", d, f, wide) : mlp(b, "mlp", d, f, wide);
    b.part(Part::feed_forward, [&] { layer_scale(b, "layer_scale2.lambda1", d); });
  });
  layer_norm(b, "norm", d);
  return {.hidden = d};
}

}  // namespace

extern const Family dinov3_vit{
    .model_type = "dinov3_vit",
    .summary = "Like DINOv2 with registers, but with rotary position embeddings (RoPE).",
    .classes = {"DINOv3ViT", heads::base | heads::backbone, ""},
    .backbone = backbone,
};

}  // namespace param_ledger
