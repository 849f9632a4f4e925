// GIT: CLIP's vision transformer, and BERT-like layers that read image and text together and generate text.
// Source: transformers, models/git.

#include "core/nn/nested.hpp"
#include "core/nn/text/encoder.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family git_vision_model;

namespace {

BackboneOutput vision(Config c, Builder& b) { return clip_vision(c, b, {768, 3072, 12, 12, 224, 16}); }
constexpr Architecture vision_classes[] = {{"GitVisionModel", Head::none, "vision_model"}};

constexpr BertType type{.sizes = {768, 3072, 6, 30522, 12}, .token_types = {}, .scaled_by_head_dim = false};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, type.sizes);
  const BertSizes sizes{.d = s.d,
                        .e = s.d,
                        .f = s.f,
                        .n_layers = s.n_layers,
                        .vocab = s.vocab,
                        .n = s.n,
                        .positions = c.integer("max_position_embeddings", 1024),
                        .types = {},
                        .cross_attention = false,
                        .qkv_bias = true};
  const std::optional<Expr> frames = c.optional_integer("num_image_with_embedding");
  BackboneOutput tower;
  b.tower(Tower::vision, "image_encoder.vision_model", [&] { tower = nested(c.section("vision_config"), b, "", git_vision_model); });
  b.tower(Tower::projector, "visual_projection.visual_projection", [&] {
    linear(b, "0", tower.hidden, s.d, true);
    layer_norm(b, "1", s.d);
  });
  if (frames)
    b.repeat("img_temporal_embedding", all(*frames), [&] {
      b.tower(Tower::projector, "", [&] { b.parameter("", {c.literal(1), c.literal(1), tower.hidden}); });
    });
  const Tensor words = bert_embeddings(b, sizes, type);
  bert_layers(b, sizes, type);
  return {.hidden = s.d, .embedding = words, .language_model = "output", .language_model_bias = true};
}

}  // namespace

extern const Family git{
    .model_type = "git",
    .summary = "Image and video captioning: CLIP's ViT and a causal text decoder.",
    .classes = {"Git", heads::decoder, "git"},
    .backbone = backbone,
    .cache = caches::all_tokens,
};
extern const Family git_vision_model{
    .model_type = "git_vision_model",
    .summary = "Vision encoder of GIT.",
    .classes = {.listed = vision_classes},
    .backbone = vision,
};

}  // namespace param_ledger
