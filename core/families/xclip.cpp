// X-CLIP, CLIP for videos: in each layer the frames exchange messages, a small transformer combines the frames' outputs, and prompts that
// depend on the video are added to the text. Source: transformers, models/x_clip.

#include "core/nn/vision/clip.hpp"

namespace param_ledger {

namespace {

constexpr ClipType type{.first_norm = "pre_layernorm", .even = false};

void messages(Builder& b, const VisionLayers& m) {
  const Expr d = m.attention.hidden;
  b.part(Part::attention, [&] { linear(b, "message_fc", d, d, true); });
  layer_norm(b, "message_ln", d);
  attention(b, "message_attn", m.attention);
}

BackboneOutput backbone(Config c, Builder& b) {
  Config vision = section_or_legacy(c, "vision_config", "vision_config_dict");
  const Expr d = vision.integer("mit_hidden_size", 512), frames = vision.integer("num_frames", 8);
  VisionLayers joining{.inner = vision.integer("mit_intermediate_size", 2048), .n_layers = vision.integer("mit_num_hidden_layers", 1)};
  joining.attention.hidden = d;
  joining.attention.heads = vision.integer("mit_num_attention_heads", 8, 1);
  joining.attention.even_share = false;
  const ClipWidths m = clip_model(c, b, type, messages);
  const Expr n_prompt = c.integer("prompt_layers", 2), heads = c.integer("prompt_num_attention_heads", 8, 1), w = m.shared;
  b.tower(Tower::vision, "mit", [&] {
    b.part(Part::embedding, [&] { tokens(b, "position_embedding", frames, d, TensorRole::position_embedding); });
    b.scope("encoder", [&] { vision_layers(b, joining); });
  });
  b.tower(Tower::projector, "", [&] {
    layer_norm(b, "prompts_visual_layernorm", m.vision);
    b.parameter("prompts_visual_projection", {m.vision, w}, StorageKind::matrix);
    b.scope("prompts_generator", [&] {
      layer_norm(b, "layernorm", w);
      b.repeat("decoder", all(n_prompt), [&] {
        b.owned_by(Owner::cross, [&] {
          attention(b, "cross_attn", {.hidden = w, .heads = heads, .even_share = false, .output_bias = true, .o = "proj"});
        });
        layer_norm(b, "norm1", w);
        layer_norm(b, "norm3", w);
        mlp(b, "mlp", w, 4 * w, true, "0", "3");
      });
      b.parameter("alpha", {w});
    });
  });
  return {.hidden = m.vision};
}

BackboneOutput vision(Config c, Builder& b) { return clip_tower(c, b, type, messages); }

constexpr Architecture classes[] = {{"XCLIPModel", Head::none, ""}};

}  // namespace

extern const Family xclip{
    .model_type = "xclip",
    .summary = "Contrastive video-text model like CLIP, with cross-frame attention.",
    .classes = {.listed = classes},
    .backbone = backbone,
};
extern const Family xclip_text_model{
    .model_type = "xclip_text_model",
    .summary = "Text encoder of X-CLIP.",
    .classes = {"XCLIPText", heads::base, ""},
    .backbone = clip_text_of_type<type>,
};
extern const Family xclip_vision_model{
    .model_type = "xclip_vision_model",
    .summary = "Vision encoder of X-CLIP.",
    .classes = {"XCLIPVision", heads::base, ""},
    .backbone = vision,
};

}  // namespace param_ledger
