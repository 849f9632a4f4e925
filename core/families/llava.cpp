// LLaVA and later model types: a vision tower (Video-LLaVA has two), a text model, and a two-layer projector. The configuration gives the
// types of tower and text model; if it does not, they have default types. Source: transformers, models/llava, vipllava, llava_next,
// llava_next_video, llava_onevision, video_llava.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

/// The settings that differ between model types with LLaVA's structure.
struct LlavaType {
  const Family& unnamed;     ///< the tower that transformers builds if vision_config is missing
  Text text = "llama";       ///< the default model type of the text model
  std::uint64_t layers = 1;  ///< default number of tower layers whose outputs are concatenated
  bool normed = false;       ///< whether the projector begins with a norm and always has biases
  bool newline = false;      ///< whether a learned token ends each row of patches
  bool pooled = false;       ///< whether the patches of video frames are merged
  bool two = false;          ///< whether videos and images have separate towers
  bool siglip = false;       ///< whether the tower's default type is siglip_vision_model
};

BackboneOutput tower(Config c, Builder& b, Text name, const LlavaType& type) {
  if (type.siglip)
    return vision_tower_or(c, b, name, {"siglip_vision_model", "clip_vision_model", "siglip2_vision_model", "pixtral"}, type.unnamed);
  // Pooling of video frames reads image_size, which SigLIP 2 does not have.
  if (type.pooled) return vision_tower_or(c, b, name, {"clip_vision_model", "siglip_vision_model", "pixtral"}, type.unnamed);
  return vision_tower_or(c, b, name, {"clip_vision_model", "siglip_vision_model", "siglip2_vision_model", "pixtral"}, type.unnamed);
}

/// Records the layer that merges squares of spatial_pool_stride × spatial_pool_stride patches of a frame: a convolution, or pooling without
/// parameters.
void frame_pool(Config c, Builder& b, Expr hidden) {
  static constexpr std::string_view modes[] = {"average", "max", "conv"};
  const bool learned = c.text("spatial_pool_mode", "average", modes) == "conv";
  const Expr stride = c.integer("spatial_pool_stride", 2, 1);
  if (!learned) return;
  const Expr out = c.integer("spatial_pool_out_channels", attribute.or_else(hidden));
  b.scope(b.architecture().head == Head::none ? "" : "model",
          [&] { b.tower(Tower::projector, "", [&] { conv2d(b, "vision_resampler.pool", hidden, out, stride); }); });
}

template <const LlavaType& type>
BackboneOutput backbone(Config c, Builder& b) {
  if (type.two) tower(c, b, "video_tower", type);
  const BackboneOutput images = tower(c, b, type.two ? "image_tower" : "vision_tower", type);
  const bool bias = type.normed || c.flag("multimodal_projector_bias", true);
  const Expr features = feature_width(c, images.hidden, type.layers);
  if (type.pooled) frame_pool(c, b, images.hidden);
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model.model", type.text);
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    if (type.normed) layer_norm(b, "projector_layernorm", features);
    two_layers(b, features, out.hidden, out.hidden, bias);
  });
  if (type.newline) b.tower(Tower::projector, "", [&] { b.parameter("image_newline", {out.hidden}); });
  out.language_model = "language_model.lm_head";
  return out;
}

/// Records the head. It is tied if tie_word_embeddings is true at the top level or in text_config.
void head_of_either(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  const bool in_text = c.section("text_config").flag("tie_word_embeddings", m.tie_by_default);
  language_model_head(b, m, c.flag("tie_word_embeddings", false) || in_text);
}
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::none) language_model_head(b, m, c.flag("tie_word_embeddings", false));
}

template <std::uint64_t side>
BackboneOutput clip_tower(Config c, Builder& b) {
  return clip_vision(c, b, {1024, 4096, 24, 16, side, 14});
}
constexpr Family large{.backbone = clip_tower<336>}, large_224{.backbone = clip_tower<224>};

BackboneOutput siglip_tower(Config c, Builder& b) {
  const BackboneOutput out{.hidden = siglip_encoder(c, b, {1152, 4304, 26, 16, 384, 14}).attention.hidden};
  layer_norm(b, "post_layernorm", out.hidden);
  return out;
}
constexpr Family siglip_400m{.backbone = siglip_tower};

constexpr Alias vip_aliases[] = {{"vision_feature_layers", "vision_feature_layer"}};
constexpr unsigned classes = heads::conditional | heads::base;
constexpr LlavaType plain{.unnamed = large}, many_layers{.unnamed = large, .layers = 5, .normed = true},
    next{.unnamed = large, .newline = true};
constexpr LlavaType next_video{.unnamed = large, .newline = true, .pooled = true}, videos{.unnamed = large_224, .two = true};
constexpr LlavaType onevision{.unnamed = siglip_400m, .text = "qwen2", .newline = true, .siglip = true};

}  // namespace

extern const Family llava{
    .model_type = "llava",
    .summary = "Vision-language model: any vision encoder and language model with an MLP projector.",
    .classes = {"Llava", classes, ""},
    .backbone = backbone<plain>,
    .head = head_of_either,
    .cache = caches::of_text_model,
};
extern const Family vipllava{
    .model_type = "vipllava",
    .summary = "Like LLaVA, with features from several vision layers, for visual prompts.",
    .classes = {"VipLlava", classes, ""},
    .aliases = vip_aliases,
    .backbone = backbone<many_layers>,
    .head = head,
};
extern const Family llava_next{
    .model_type = "llava_next",
    .summary = "Like LLaVA, with high-resolution image tiles.",
    .classes = {"LlavaNext", classes, ""},
    .backbone = backbone<next>,
    .head = head,
};
extern const Family llava_next_video{
    .model_type = "llava_next_video",
    .summary = "Like LLaVA-NeXT, also for video.",
    .classes = {"LlavaNextVideo", classes, ""},
    .backbone = backbone<next_video>,
    .head = head_of_either,
};
extern const Family llava_onevision{
    .model_type = "llava_onevision",
    .summary = "Like LLaVA-NeXT, with SigLIP and Qwen2; for single images, several images and video.",
    .classes = {"LlavaOnevision", classes, ""},
    .backbone = backbone<onevision>,
    .head = head_of_either,
};
extern const Family video_llava{
    .model_type = "video_llava",
    .summary = "Like LLaVA, with separate encoders for images and video.",
    .classes = {"VideoLlava", classes, ""},
    .backbone = backbone<videos>,
    .head = head,
};

}  // namespace param_ledger
