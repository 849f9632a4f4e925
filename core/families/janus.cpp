// Janus: a text model, a SigLIP-like vision transformer for image input, and a VQ model for image output.
// Source: transformers, models/janus.

#include "core/nn/heads.hpp"
#include "core/nn/vision/vision.hpp"
#include "core/nn/vision/vq_model.hpp"

namespace param_ledger {

namespace {

Expr vision(Config c, Builder& b) {
  c.consume("model_type");
  VisionLayers m{.attention = {.output_bias = true, .o = "projection_layer"}};
  const Expr d = m.attention.hidden = c.integer("hidden_size", 1024);
  m.n_layers = c.integer("num_hidden_layers", 24);
  m.attention.heads = c.integer("num_attention_heads", 16, 1);
  m.attention.qkv_bias = c.flag("attention_bias", true);
  if (c.flag("use_qk_norm", false)) m.attention.head_norms = QkNorm::whole;
  m.attention.head_norm_kind = Norm::layer;
  m.inner = c.scaled("mlp_ratio", 4.0, d, "inner_size", "f");
  const Image image = image_fields(c, 384, 16);
  b.scope(Part::embedding, "embeddings", [&] {
    patch_embedding(b, "patch_embedding", image.channels, d, image.patch);
    embedding(b, "position_embedding", image.patches(), d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "post_layernorm", d);
  return d;
}

/// Records `name.fc1` and `name.hidden_layers`: `depth` linear layers in all, at least one.
void aligner(Builder& b, Text name, Expr in, Expr out, Expr depth) {
  b.tower(Tower::projector, name, [&] {
    linear(b, "fc1", in, out, true);
    if (depth.decide() > 1) b.repeat("hidden_layers", all(depth - 1), [&] { linear(b, "", out, out, true); });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  Config seeing = c.section("vision_config"), painting = c.section("vq_config");
  Expr seen;
  b.tower(Tower::vision, "vision_model", [&] { seen = vision(seeing, b); });
  const Expr depth = seeing.integer("depth", 2), width = seeing.integer("projection_dim", 2048);
  aligner(b, "aligner", seen, width, depth);
  VqModel codes = vq_fields(painting, 8, 16384);
  codes.attends.back() = true;
  const Expr out_channels = painting.integer("out_channels", 3), d = painting.integer("projection_dim", 2048);
  const Expr n_layers = painting.integer("num_hidden_layers", 2), head = painting.integer("image_token_embed_dim", 2048);
  b.tower(Tower::vision, "", [&] {
    b.scope("vqmodel", [&] {
      vq_encoder(b, codes);
      vq_decoder(b, codes, out_channels);
    });
    embedding(b, "generation_embeddings", codes.codes, codes.width);
    aligner(b, "generation_aligner", codes.width, d, n_layers);
    b.scope(Part::output_head, "generation_head", [&] {
      linear(b, "proj_out", head, d, true);
      linear(b, "vision_head", d, codes.codes, true);
    });
  });
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model", "llama");
  out.tie_by_default = true;
  return out;
}

/// Records the head. Only tie_word_embeddings at the top level determines whether it is tied.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::none) language_model_head(b, m, c.flag("tie_word_embeddings", true));
}

}  // namespace

extern const Family janus{
    .model_type = "janus",
    .summary = "Image understanding and generation: a language model with SigLIP and a VQ tokenizer.",
    .classes = {"Janus", heads::conditional | heads::base},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
