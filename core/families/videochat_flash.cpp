// VideoChat-Flash: a Qwen2 whose module contains UMT, a vision transformer over frames, if mm_vision_tower is given. The tower's sizes are
// constants in the code. Layers after the one whose output is used are not built. Source: OpenGVLab/VideoChat-Flash, llava/model.

#include "core/nn/vision/vision.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

extern const Family qwen2;

namespace {

constexpr std::uint64_t width = 1024, depth = 24;

/// How many of the tower's 24 layers are built: those up to the one whose output is used. The configuration counts it from the end.
Expr built_layers(Config c) {
  const double selected = c.number("mm_vision_select_layer", 0);
  if (selected >= 0 || selected < -static_cast<double>(depth))
    c.refuse(ErrorCode::out_of_range, "mm_vision_select_layer", "must be one of the tower's 24 layers, counted from the end: -1 to -24.");
  return c.count("num_vision_layers", "L_v", "Layers of the vision tower, up to the one that mm_vision_select_layer names.",
                 depth + 1 - static_cast<Count>(-selected));
}

/// Records UMT-L: ViT's layers, but without key biases. The biases of queries and values are separate parameters.
void umt(Config c, Builder& b) {
  VisionLayers m;
  m.attention = {.hidden = c.literal(width), .heads = c.literal(16), .output_bias = true, .fused = "qkv", .o = "proj"};
  m.inner = c.literal(Count{4} * width);
  m.n_layers = built_layers(c);
  m.layers = "blocks", m.attention_name = "attn", m.norm1 = "norm1", m.norm2 = "norm2";
  m.more = [](Builder& to, const VisionLayers& layer) {
    to.part(Part::attention, [&] {
      for (const Text name : {"attn.q_bias", "attn.v_bias"}) to.parameter(name, {layer.attention.hidden});
    });
  };
  tubelet_embedding(b, "patch_embed.proj", c.literal(3), m.attention.hidden, {c.literal(1), c.literal(16), c.literal(16)});
  vision_layers(b, m);
  layer_norm(b, "vision_layernorm", m.attention.hidden);
}

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput out = qwen2.backbone(c, b);
  if (!c.has("mm_vision_tower")) return out;
  if (!holds(c.text("mm_vision_tower", ""), "umt"))
    c.refuse(ErrorCode::unsupported, "mm_vision_tower", "must be UMT, such as \"umt-hd-large\": no other tower is counted.");
  if (c.text("mm_projector_type", "linear") != "tome16_mlp_hd64")
    c.refuse(ErrorCode::unsupported, "mm_projector_type", "must be \"tome16_mlp_hd64\": no other projector is counted.");
  b.tower(Tower::vision, "vision_tower.vision_tower.encoder", [&] { umt(c, b); });
  const Expr seen = c.integer("mm_hidden_size", width);
  const std::string_view merge = c.text("mm_patch_merge_type", "");
  const bool ends_frames = holds(merge, "nopad") && c.text("mm_newline_position", "nothing") != "nothing";
  b.tower(Tower::projector, "", [&] {
    linear(b, "mm_projector.mlp.0", seen, out.hidden, true);
    linear(b, "mm_projector.mlp.2", out.hidden, out.hidden, true);
    if (holds(merge, "unpad")) b.parameter("image_newline", {out.hidden});
    if (ends_frames) b.parameter("frame_newline", {out.hidden});
  });
  return out;
}

constexpr Architecture classes[] = {{"VideoChatFlashQwenForCausalLM", Head::causal_lm, "model"}};

}  // namespace

extern const Family videochat_flash_qwen{
    .model_type = "videochat_flash_qwen",
    .summary = "VideoChat-Flash: Qwen2 with a vision transformer over frames.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
