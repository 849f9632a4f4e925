// Nemotron-H Omni: a Nemotron-H with RADIO, a vision transformer with class tokens and registers, and optionally a conformer for audio.
// Files keep the tensor names of the published code, which transformers renames when it loads them. Old configurations have other names for
// some sections. Source: transformers, models/nemotron_h_omni, radio, conversion_mapping.py.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family nemotron_h, nemotron_h_omni_encoder;  // defined in nemotron_h.cpp and parakeet.cpp

namespace {

/// Records RADIO's vision tower. In videos, each patch spans `frames` frames.
void radio(Config c, Builder& b, Expr frames) {
  const Expr d = c.integer("hidden_size", 1280), n_layers = c.integer("num_hidden_layers", 32), n = c.integer("num_attention_heads", 16, 1);
  const Expr h = c.integer("head_dim", attribute.or_else(floor_divide(d, n))), f = c.scaled("mlp_ratio", 4.0, d, "mlp_width", "f");
  const bool bias = c.flag("qkv_bias", true), gated = c.flag("use_swiglu_ffn", false);
  const Expr patch = c.integer("patch_size", 16), pixels = c.integer("num_channels", 3) * power(patch, 2);
  const Expr side = c.integer("max_img_size", 2048), n_tokens = c.integer("num_cls_tokens", 3) + c.integer("num_registers", 7);
  const std::size_t taken = c.integers("summary_idxs").value_or(std::vector<std::int64_t>{0, 1}).size();
  const Expr n_summaries = c.count("num_summary_tokens", "N_s", "Class tokens that summarize an image.", taken);
  b.part(Part::embedding, [&] { b.buffer("summary_idxs", {n_summaries}); });
  b.scope(Part::embedding, "model.patch_generator", [&] {
    b.parameter("cls_token.token", {n_tokens, d}, StorageKind::table);
    linear(b, "embedder", pixels, d);
    linear(b, "video_embedder", frames * pixels, d);
    b.parameter("pos_embed", {c.literal(1), power(floor_divide(side, patch), 2), d}, StorageKind::table);
  });
  const Expr eight = c.literal(8), three = c.literal(3);
  const Expr inner = gated ? ceil_divide(floor_divide(2 * f, three), eight) * eight : f;
  b.scope("model", [&] {
    vision_layers(b, {.attention = {.hidden = d,
                                    .heads = n,
                                    .head_dim = h,
                                    .even_share = false,
                                    .qkv_bias = bias,
                                    .output_bias = true,
                                    .fused = "qkv",
                                    .o = "proj"},
                      .inner = inner,
                      .n_layers = n_layers,
                      .layers = "blocks",
                      .attention_name = "attn",
                      .norm1 = "norm1",
                      .norm2 = "norm2",
                      .gated = gated,
                      .scale1 = "layer_scale1.lambda1",
                      .scale2 = "layer_scale2.lambda1"});
  });
}

/// The section under its current name or, if that is missing, under its old name.
Config section_or_legacy(Config c, Text section, Text old) { return c.section(!is_given(c, section) && is_given(c, old) ? old : section); }

/// The width of the vision tower: vision_hidden_size or, if that has its default value and the older field vit_hidden_size is given, the
/// latter.
Expr vision_width(Config c) {
  const Expr width = c.integer("vision_hidden_size", 1280);
  return is_given(c, "vit_hidden_size") && width.decide() == 1280 ? c.integer("vit_hidden_size", 1280) : width;
}

BackboneOutput backbone(Config c, Builder& b) {
  Config vision = c.section("vision_config"), audio = section_or_legacy(c, "audio_config", "sound_config");
  Config text = section_or_legacy(c, "text_config", "llm_config");
  require_type(vision, "radio");
  require_type(audio, "parakeet_encoder");
  require_type(text, "nemotron_h");
  vision.consume("model_type");
  const Expr frames = c.integer("video_temporal_patch_size", 2), d_vision = vision_width(c);
  if (is_given(c, "vision_config")) require_equal(vision.integer("video_temporal_patch_size", required(2)), frames);
  b.tower(Tower::vision, "vision_model.radio_model", [&] { radio(vision, b, frames); });
  const BackboneOutput out = nested_with_head(text, b, "language_model", nemotron_h, Head::causal_lm);
  const Expr joined = power(pixel_shuffle_side(c), 2) * d_vision, inner = c.integer("projector_hidden_size", 4096);
  if (text.integer("num_nextn_predict_layers", 0).decide() > 0)
    b.tower(Tower::projector, "", [&] { layer_norm(b, "vision_final_layernorm", d_vision); });
  b.tower(Tower::projector, "mlp1", [&] {
    rms_norm(b, "0", joined);
    linear(b, "1", joined, inner);
    linear(b, "3", inner, out.hidden);
  });
  if (!is_given(c, "audio_config") && !is_given(c, "sound_config")) return out;
  BackboneOutput heard;
  b.tower(Tower::audio, "sound_encoder.encoder", [&] { heard = nested(audio, b, "", nemotron_h_omni_encoder); });
  const Expr middle = audio.integer("projection_hidden_size", required(4096));
  const bool bias = audio.flag("projection_bias", false);
  b.tower(Tower::projector, "sound_projection", [&] {
    rms_norm(b, "norm", heard.hidden);
    linear(b, "linear1", heard.hidden, middle, bias);
    linear(b, "linear2", middle, out.hidden, bias);
  });
  return out;
}

void no_head(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

constexpr Architecture classes[] = {{"NemotronH_Omni_Reasoning_V3", Head::other, ""}};

}  // namespace

extern const Family nemotron_h_omni{
    .model_type = "nemotron_h_omni",
    .summary = "Multimodal model: Nemotron-H with a vision encoder and an optional audio encoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = no_head,
};

}  // namespace param_ledger
