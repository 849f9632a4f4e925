// SAM 2: like SAM, by default with Hiera as image encoder, for images and videos. A memory stores earlier video frames. By default, EdgeTAM
// has a timm network instead of Hiera. It compresses the memory. Source: transformers, models/sam2, sam2_video, edgetam, edgetam_video.

#include "core/builder/blocks.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/sam.hpp"
#include "core/nn/vision/timm.hpp"

namespace param_ledger {

namespace {

/// Records a layer of Hiera, which may change the width.
void block(Builder& b, Expr in, Expr out, Expr heads, Expr inner) {
  require_positive(heads);
  require_positive(floor_divide(out, heads));
  layer_norm(b, "layer_norm1", in);
  b.scope(Part::attention, "attn", [&] {
    linear(b, "qkv", in, 3 * out, true, TensorRole::query_key_value);
    linear(b, "proj", out, out, true, TensorRole::output);
  });
  layer_norm(b, "layer_norm2", out);
  mlp(b, "mlp", out, inner, true, "proj_in", "proj_out");
  if (in.decide() == out.decide()) return;
  b.part(Part::adapter, [&] {
    const InBlock block(b, {Mechanism::stage_shortcut});
    linear(b, "proj", in, out, true);
  });
}

/// Reads a list of sizes. null stands for the default.
std::vector<Expr> list(Config c, Text name, std::initializer_list<std::uint64_t> fallback) {
  if (!c.peek(name).is_null()) return c.dimensions(name, fallback);
  c.consume(name);
  std::vector<Expr> out;
  for (const std::uint64_t n : fallback) out.push_back(c.literal(n));
  return out;
}

BackboneOutput hiera_backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 96), channels = c.integer("num_channels", 3);
  const auto two = [&](Text name, std::uint64_t fallback) {
    if (c.peek(name).is(Json::Type::integer)) return c.sides(name, fallback);
    const std::vector<Expr> sides = list(c, name, {fallback, fallback});
    if (sides.size() != 2) c.refuse(ErrorCode::out_of_range, name, "must be a list of height and width.", Refused::list_length);
    return Sides{sides[0], sides[1]};
  };
  const Sides patch = two("patch_kernel_size", 7), places = two("window_positional_embedding_background_size", 7);
  const std::vector<Expr> depths = list(c, "blocks_per_stage", {1, 2, 7, 2}), widths = list(c, "embed_dim_per_stage", {96, 192, 384, 768}),
                          heads = list(c, "num_attention_heads_per_stage", {1, 2, 4, 8}),
                          windows = list(c, "window_size_per_stage", {8, 4, 14, 7});
  for (const auto& [field, size] : {std::pair<Text, std::size_t>{"embed_dim_per_stage", widths.size()},
                                    {"num_attention_heads_per_stage", heads.size()},
                                    {"window_size_per_stage", windows.size()}})
    if (size < depths.size() || size == 0)
      c.refuse(ErrorCode::inconsistent, field, "must have an entry for each stage.", Refused::list_length);
  b.part(Part::embedding, [&] {
    b.parameter("pos_embed", {c.literal(1), d, places.height, places.width}, StorageKind::table);
    b.parameter("pos_embed_window", {c.literal(1), d, windows[0], windows[0]}, StorageKind::table);
    patch_embedding(b, "patch_embed.projection", channels, d, patch);
  });
  Count at = 0;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const Expr out = widths[i], in = i == 0 ? out : widths[i - 1];
    const Expr inner = stage_inner_width(c, i, out, 4.0);
    const Count end = at + depths[i].decide();
    require_listable(depths[i]);
    if (end > at) b.repeat("blocks", only(static_cast<std::uint64_t>(at)), [&] { block(b, in, out, heads[i], inner); });
    b.repeat("blocks", between(c.literal(at + 1), c.literal(end)), [&] { block(b, out, out, heads[i], inner); });
    at = end;
  }
  return {.hidden = d};
}

/// Records the neck, which projects the output of each stage to one width.
void neck(Builder& b, const std::vector<Expr>& channels, Expr d, Expr kernel) {
  b.tower(Tower::projector, "neck", [&] {
    for (std::size_t i = 0; i < channels.size(); ++i) conv2d(b, concat({"convs.", digits(i)}), channels[i], d, kernel);
  });
}

/// Records SAM 2's vision tower: a backbone, by default Hiera, and the neck.
BackboneOutput vision_backbone(Config c, Builder& b) {
  const Expr d = c.integer("fpn_hidden_size", 256), kernel = c.integer("fpn_kernel_size", 1);
  nested_auto(c.section("backbone_config"), b, "backbone", "sam2_hiera_det_model");
  neck(b, list(c, "backbone_channel_list", {768, 384, 192, 96}), d, kernel);
  return {.hidden = d};
}

/// Records EdgeTAM's vision tower: a timm network, and SAM 2's neck.
BackboneOutput edgetam_vision_backbone(Config c, Builder& b) {
  const Expr d = c.integer("fpn_hidden_size", 256), kernel = c.integer("fpn_kernel_size", 1);
  Config section = c.section("backbone_config");
  require_type(section, "timm_wrapper");
  timm_features(section, b, "backbone.timm_model", !is_given(c, "backbone_config"));
  neck(b, list(c, "backbone_channel_list", {384, 192, 96, 48}), d, kernel);
  return {.hidden = d};
}

/// Records what images and videos need: the vision tower, the prompt encoder and the mask decoder. Returns the vision tower's output width.
Expr image_model(Config c, Builder& b, Text usual_vision = "sam2_vision_model") {
  Expr d;
  Config prompts = c.section("prompt_encoder_config"), masks = c.section("mask_decoder_config");
  prompts.consume("model_type");
  masks.consume("model_type");
  b.tower(Tower::vision, "", [&] {
    Config vision = c.section("vision_config");
    const Json type = vision.peek("model_type");
    if (type.is(Json::Type::string) && type.string() != "sam2_vision_model" && type.string() != "edgetam_vision_model")
      vision.refuse(ErrorCode::unsupported, "model_type", "must be \"sam2_vision_model\" or \"edgetam_vision_model\" here.");
    d = nested_auto(vision, b, "vision_encoder", usual_vision).hidden;
  });
  b.part(Part::embedding, [&] {
    b.buffer("shared_image_embedding.positional_embedding",
             {c.literal(2), floor_divide(prompts.integer("hidden_size", 256), c.literal(2))});
  });
  sam_prompts(prompts, b, "prompt_encoder", Sam::second);
  sam_masks(masks, b, "mask_decoder", Sam::second);
  return d;
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = image_model(c, b);
  b.part(Part::embedding, [&] { tokens(b, "no_memory_embedding", 1, d); });
  return {.hidden = d};
}

BackboneOutput edgetam_backbone(Config c, Builder& b) {
  const Expr d = image_model(c, b, "edgetam_vision_model");
  b.part(Part::embedding, [&] { tokens(b, "no_memory_embedding", 1, d); });
  return {.hidden = d};
}

BackboneOutput video_backbone(Config c, Builder& b) {
  if (b.architecture().head == Head::other) return backbone(c, b);
  const Expr d = image_model(c, b);
  sam_memory(c, b, d, false);
  return {.hidden = d};
}

/// Records EdgeTAM's perceiver, which compresses the memory of a frame into latents that attend to it.
void perceiver(Config c, Builder& b) {
  const Expr line = c.integer("perceiver_resampler_num_latents", 256), square = c.integer("perceiver_resampler_num_latents_2d", 256);
  const Expr d = c.integer("perceiver_resampler_hidden_size", 64), inner = c.integer("perceiver_resampler_mlp_intermediate_size", 256);
  const Expr heads = c.integer("perceiver_resampler_num_attention_heads", 1), h = c.integer("perceiver_resampler_attention_head_dim", 64);
  const Expr n_layers = c.integer("perceiver_resampler_num_layers", 2);
  b.scope("spatial_perceiver", [&] {
    b.part(Part::embedding, [&] {
      if (line.decide() > 0) b.parameter("latents_1d", {line, d}, StorageKind::table);
      if (square.decide() > 0) b.parameter("latents_2d", {square, d}, StorageKind::table);
    });
    b.repeat("layers", all(n_layers), [&] {
      for (const Text name : {"cross_attention", "self_attention"}) attention(b, name, {.hidden = d, .heads = heads, .head_dim = h});
      for (const Text name : {"mlp", "self_mlp"}) {
        layer_norm(b, concat({name, ".layer_norm"}), d);
        mlp(b, name, d, inner);
      }
      for (const Text name : {"layer_norm_input", "layer_norm_latents", "layer_norm_self"}) layer_norm(b, name, d);
    });
    layer_norm(b, "layer_norm", d);
  });
}

BackboneOutput edgetam_video_backbone(Config c, Builder& b) {
  if (b.architecture().head == Head::other) return backbone(c, b);
  const Expr d = image_model(c, b);
  sam_memory(c, b, d, true);
  perceiver(c, b);
  return {.hidden = d};
}

/// The classes for single images, which have no memory.
constexpr Architecture sam2_images[] = {{"Sam2Model", Head::other, ""}}, edgetam_images[] = {{"EdgeTamModel", Head::other, ""}};

}  // namespace

extern const Family edgetam{
    .model_type = "edgetam",
    .summary = "Like SAM 2, with a lightweight RepViT backbone.",
    .classes = {"EdgeTam", heads::base, ""},
    .backbone = edgetam_backbone,
};
extern const Family edgetam_video{
    .model_type = "edgetam_video",
    .summary = "Video segmentation: like SAM 2 for video, with a compressed memory.",
    .classes = {"EdgeTamVideo", heads::base, "", {}, edgetam_images},
    .backbone = edgetam_video_backbone,
};
extern const Family edgetam_vision_model{
    .model_type = "edgetam_vision_model",
    .summary = "Vision encoder of EdgeTAM: RepViT with SAM 2's neck.",
    .classes = {"EdgeTamVision", heads::base, ""},
    .backbone = edgetam_vision_backbone,
};
extern const Family sam2{
    .model_type = "sam2",
    .summary = "Promptable image segmentation: like SAM, with Hiera.",
    .classes = {"Sam2", heads::base, ""},
    .backbone = backbone,
};
extern const Family sam2_hiera_det_model{
    .model_type = "sam2_hiera_det_model",
    .summary = "Hiera backbone of SAM 2.",
    .classes = {"Sam2HieraDet", heads::base, ""},
    .backbone = hiera_backbone,
};
extern const Family sam2_video{
    .model_type = "sam2_video",
    .summary = "Promptable video segmentation and tracking: SAM 2 with a memory bank.",
    .classes = {"Sam2Video", heads::base, "", {}, sam2_images},
    .backbone = video_backbone,
};
extern const Family sam2_vision_model{
    .model_type = "sam2_vision_model",
    .summary = "Vision encoder of SAM 2: Hiera and the neck.",
    .classes = {"Sam2Vision", heads::base, ""},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
