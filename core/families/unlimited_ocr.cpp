// Unlimited-OCR: SAM's vision tower with two downsampling convolutions, CLIP's layers, and a text model with experts like DeepSeek-V2.
// Files have the published module names. Source: transformers, models/unlimited_ocr, conversion_mapping.py.

#include "core/nn/nested.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/vision/sam.hpp"

namespace param_ledger {

namespace {

constexpr SamNames sam_names{"patch_embed.proj", "blocks", "norm1", "norm2", {"0", "1", "2", "3"}};

/// Records SAM's tower and the downsampling convolutions. Returns the number of output channels.
Expr sam_model(Config c, Builder& b) {
  c.consume("model_type");
  const Expr channels = sam_vision(c, b, false, sam_names);
  const std::vector<Expr> widths = c.dimensions("downsample_channels", {512, 1024});
  if (widths.size() < 2) c.refuse(ErrorCode::inconsistent, "downsample_channels", "must contain the channels of two convolutions.");
  b.tower(Tower::projector, "", [&] {
    conv2d(b, "net_2", channels, widths[0], 3, false);
    conv2d(b, "net_3", widths[0], widths[1], 3, false);
  });
  return widths.back();
}

/// Records CLIP's layers, which read SAM's output. Returns their width.
Expr clip_layers(Config c, Builder& b) {
  c.consume("model_type");
  VisionLayers m = vision_fields(c, {1024, 4096, 24, 16});
  m.attention.fused = "qkv_proj";
  const Expr d = m.attention.hidden;
  const Image image{{}, c.integer("image_size", 224), c.integer("patch_size", 14)};
  require_multiple(d, m.attention.heads);
  b.scope(Part::embedding, "embeddings", [&] {
    b.parameter("class_embedding", {d});
    embedding(b, "position_embedding", image.patches() + 1, d, TensorRole::position_embedding);
  });
  layer_norm(b, "pre_layrnorm", d);
  b.scope("transformer", [&] { vision_layers(b, m); });
  return d;
}

constexpr Alias text_aliases[] = {{"num_experts", "n_routed_experts"}};

BackboneOutput text(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {1280, 6848, 12, 129280, 10});
  const Expr n_kv = c.integer("num_key_value_heads", fixed_not_null(10).or_else(s.n));
  const bool bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Mixture m = mixture_fields(c, s.d, {.count = 64, .active = 6, .inner = 896, .shared = 2}, {.shared_bias = mlp_bias});
  const Expr n_dense = c.integer("first_k_dense_replace", attribute.or_else(c.literal(1)));
  require_multiple(s.d, s.n);
  return sparse_decoder(b,
                        {s, {.layers = listed_sparse_layers(c, s.n_layers, n_dense), .mixture = m, .dense = s.f, .dense_bias = mlp_bias}},
                        {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .qkv_bias = bias, .output_bias = bias});
}
constexpr Family text_model{
    .aliases = text_aliases,
    .backbone = text,
};

BackboneOutput backbone(Config c, Builder& b) {
  Config vision = c.section("vision_config");
  vision.consume("model_type");
  Expr fine, coarse;
  b.tower(Tower::vision, "sam_model", [&] { fine = sam_model(vision.section("sam_config"), b); });
  b.tower(Tower::vision, "vision_model", [&] { coarse = clip_layers(vision.section("encoder_config"), b); });
  const bool old = !is_given(c, "text_config") && is_given(c, "language_config");
  const BackboneOutput out = nested(c.section(old ? "language_config" : "text_config"), b, "", text_model);
  b.tower(Tower::projector, "", [&] {
    linear(b, "projector.layers", fine + coarse, out.hidden, true);
    b.parameter("image_newline", {out.hidden});
    b.parameter("view_seperator", {out.hidden});  // misspelled in the files
  });
  return out;
}

}  // namespace

extern const Family unlimited_ocr{
    .model_type = "unlimited_ocr",
    .summary = "Document OCR: a mixture-of-experts language model with SAM's ViT and CLIP's layers.",
    .classes = {"UnlimitedOcr", heads::conditional | heads::base},
    .backbone = backbone,
};

}  // namespace param_ledger
