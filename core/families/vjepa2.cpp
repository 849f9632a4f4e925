// V-JEPA 2: a vision transformer with RoPE for video, and a narrower network that predicts masked patches. Source: transformers,
// models/vjepa2.

#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr VisionLayers layers_of_it = [] {
  VisionLayers m = vit_layers;
  m.layers = "layer";
  m.attention.even_share = true;
  m.attention.q = "query", m.attention.k = "key", m.attention.v = "value", m.attention.o = "proj";
  m.norm1 = "norm1", m.norm2 = "norm2";
  m.mlp_name = "mlp", m.up = "fc1", m.down = "fc2";
  return m;
}();

BackboneOutput backbone(Config c, Builder& b) {
  const Expr patch = c.integer("patch_size", 16, 1), frames = c.integer("tubelet_size", 2, 1), channels = c.integer("in_chans", 3);
  const Expr d = c.integer("hidden_size", 1024), d_p = c.integer("pred_hidden_size", 384), one = c.literal(1);
  const Expr hidden = c.integer("pred_num_mask_tokens", 10);
  const bool bias = c.flag("qkv_bias", true);
  VisionLayers encoder = layers_of_it, predictor = layers_of_it;
  encoder.attention.qkv_bias = predictor.attention.qkv_bias = bias;
  encoder.attention.hidden = d, predictor.attention.hidden = d_p;
  encoder.attention.heads = c.integer("num_attention_heads", 16), predictor.attention.heads = c.integer("pred_num_attention_heads", 12);
  encoder.n_layers = c.integer("num_hidden_layers", 24), predictor.n_layers = c.integer("pred_num_hidden_layers", 12);
  encoder.inner = c.scaled("mlp_ratio", 4.0, d, "inner_size", "f");
  predictor.inner = c.scaled("pred_mlp_ratio", 4.0, d_p, "pred_inner_size", "f_p");
  b.scope("encoder", [&] {
    b.part(Part::embedding, [&] { tubelet_embedding(b, "embeddings.patch_embeddings.proj", channels, d, {frames, patch, patch}); });
    vision_layers(b, encoder);
    layer_norm(b, "layernorm", d);
  });
  b.scope("predictor", [&] {
    b.scope(Part::embedding, "embeddings", [&] {
      b.parameter("mask_tokens", {hidden, one, one, d_p}, StorageKind::table);
      linear(b, "predictor_embeddings", d, d_p, true);
    });
    vision_layers(b, predictor);
    layer_norm(b, "layernorm", d_p);
    b.part(Part::output_head, [&] { linear(b, "proj", d_p, d, true); });
  });
  return {.hidden = d};
}

/// Records the head of the video classifier: additional layers, attention pooling with one query, and the classifier.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::video_classification) return;
  const Expr d = m.hidden, n_layers = c.integer("num_pooler_layers", 3), heads = c.integer("num_attention_heads", 16),
             labels = num_labels(c);
  const auto layer = [&](Text name, bool out) {
    require_multiple(d, heads);
    layer_norm(b, "layer_norm1", d);
    b.scope(Part::attention, name, [&] {
      query_key_value(b, d, d, true);
      if (out) linear(b, "out_proj", d, d, true, TensorRole::output);
    });
    layer_norm(b, "layer_norm2", d);
    mlp(b, "mlp", d, 4 * d, true, "fc1", "fc2");
  };
  b.scope(Part::attention, "pooler", [&] {
    tokens(b, "query_tokens", 1, d);
    b.scope("cross_attention_layer", [&] { layer("cross_attn", false); });
    b.repeat("self_attention_layers", all(n_layers), [&] { layer("self_attn", true); });
  });
  b.part(Part::output_head, [&] { linear(b, "classifier", d, labels, true); });
}

}  // namespace

extern const Family vjepa2{
    .model_type = "vjepa2",
    .summary = "Self-supervised video ViT with a predictor of masked patches in latent space.",
    .classes = {"VJEPA2", heads::base | heads::video, "vjepa2"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
