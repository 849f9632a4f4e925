// CLIPSeg: CLIP, and a small decoder that segments what a text describes.
// Source: transformers, models/clipseg.

#include "core/nn/vision/clip.hpp"

namespace param_ledger {

namespace {

constexpr ClipType type;

BackboneOutput backbone(Config c, Builder& b) {
  const ClipWidths m = clip_model(c, b, type);
  return {.hidden = m.vision, .vocabulary = m.shared};
}

/// Records the decoder, which has one transformer layer of width reduce_dim for each entry of extract_layers.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  const Expr d = c.integer("reduce_dim", 64), f = c.integer("decoder_intermediate_size", 2048);
  const Expr n = c.integer("decoder_num_attention_heads", 4, 1);
  const bool thorough = c.flag("use_complex_transposed_convolution", false);
  const Expr patch = section_or_legacy(c, "vision_config", "vision_config_dict").integer("patch_size", type.vision.patch);
  const Expr taps = c.count("num_extract_layers", "L_e", "Layers of the vision transformer that are read: the entries of extract_layers.",
                            c.integers("extract_layers", {3, 6, 9}).size());
  b.scope(Part::output_head, "decoder", [&] {
    linear(b, "film_mul", m.vocabulary, d, true);
    linear(b, "film_add", m.vocabulary, d, true);
    b.scope("transposed_convolution", [&] {
      const Expr one = c.literal(1);
      if (!thorough) return transposed_conv2d(b, "", d, one, patch);
      const Expr side = floor_divide(patch, c.literal(4)), half = floor_divide(d, c.literal(2));
      conv2d(b, "0", d, d, 3);
      transposed_conv2d(b, "2", d, half, side);
      transposed_conv2d(b, "4", half, one, side);
    });
    b.repeat("reduces", all(taps), [&] { linear(b, "", m.hidden, d, true); });
    VisionLayers layers{.inner = f, .n_layers = taps};
    layers.attention.hidden = d;
    layers.attention.heads = n;
    layers.attention.even_share = false;
    vision_layers(b, layers);
  });
}

constexpr Architecture classes[] = {{"CLIPSegModel", Head::none, ""}, {"CLIPSegForImageSegmentation", Head::other, "clip"}};

}  // namespace

extern const Family clipseg{
    .model_type = "clipseg",
    .summary = "Text-prompted image segmentation: CLIP with a small transformer decoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
};
extern const Family clipseg_text_model{
    .model_type = "clipseg_text_model",
    .summary = "Text encoder of CLIPSeg.",
    .classes = {"CLIPSegText", heads::base, ""},
    .backbone = clip_text_of_type<type>,
};
extern const Family clipseg_vision_model{
    .model_type = "clipseg_vision_model",
    .summary = "Vision encoder of CLIPSeg.",
    .classes = {"CLIPSegVision", heads::base, ""},
    .backbone = clip_tower_of_type<type>,
};

}  // namespace param_ledger
