// Idefics2: a text model with SigLIP's vision transformer and a perceiver that summarises patches in a fixed number of latents.
// Source: transformers, models/idefics2.

#include "core/nn/heads.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

/// Records the layers in which latents attend to the patches and to each other.
void perceiver(Config c, Builder& b, Expr d) {
  c.consume("model_type");
  c.ignore("hidden_size", "The value of the text model is used.");
  const Expr latents = c.integer("resampler_n_latents", 64), depth = c.integer("resampler_depth", 3);
  const Expr n = c.integer("resampler_n_heads", 16), h = c.integer("resampler_head_dim", 96), n_kv = c.integer("num_key_value_heads", 4);
  if (n_kv.decide() > n.decide()) c.refuse(ErrorCode::inconsistent, "num_key_value_heads", "must not exceed resampler_n_heads.");
  b.parameter("latents", {latents, d}, StorageKind::table);
  b.repeat("layers", all(depth), [&] {
    rms_norm(b, "input_latents_norm", d);
    rms_norm(b, "input_context_norm", d);
    attention(b, "self_attn", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h});
    rms_norm(b, "post_attention_layernorm", d);
    gated_mlp(b, "mlp", d, 4 * d);
  });
  rms_norm(b, "norm", d);
}

BackboneOutput backbone(Config c, Builder& b) {
  Config vision = c.section("vision_config"), text = c.section("text_config");
  vision.consume("model_type");
  Expr seen;
  b.tower(Tower::vision, "vision_model", [&] {
    seen = siglip_encoder(vision, b, {768, 3072, 12, 12, 224, 32}).attention.hidden;
    layer_norm(b, "post_layernorm", seen);
  });
  const BackboneOutput out = text_beside_vision(text, b, "text_model", "mistral");
  const Expr inner = c.pool().find("text_config.intermediate_size");
  if (!inner) text.refuse(ErrorCode::unsupported, "model_type", "must be a text model with an intermediate_size.");
  b.tower(Tower::projector, "connector", [&] {
    b.scope("modality_projection", [&] {
      linear(b, "gate_proj", seen, inner, false, TensorRole::gate);
      linear(b, "up_proj", seen, inner, false, TensorRole::up);
      linear(b, "down_proj", inner, out.hidden, false, TensorRole::down);
    });
    b.scope("perceiver_resampler", [&] { perceiver(c.section("perceiver_config"), b, out.hidden); });
  });
  return out;
}

/// Records the head. Only tie_word_embeddings at the top level determines whether it is tied.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::none) language_model_head(b, m, c.flag("tie_word_embeddings", false));
}

}  // namespace

extern const Family idefics2{
    .model_type = "idefics2",
    .summary = "Vision-language model: a language model with SigLIP and a perceiver resampler.",
    .classes = {"Idefics2", heads::conditional | heads::base},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
