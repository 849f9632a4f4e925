// Mask2Former: a pixel decoder turns the backbone's outputs into feature maps of several resolutions. Queries attend to them, and each
// query predicts a mask. Source: transformers, models/mask2former.

#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/mask_queries.hpp"
#include "core/nn/vision/swin.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"hidden_size", "hidden_dim"}, {"num_hidden_layers", "decoder_layers"}};

/// The Swin that transformers builds if backbone_config is missing.
constexpr SwinType deep{.third = 18, .given_from = 1};
constexpr Family deep_swin{.model_type = "swin", .aliases = swin_aliases, .backbone = swin_of_type<deep>};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr seen_width = c.integer("feature_size", 256), masks = c.integer("mask_feature_size", 256), d = c.integer("hidden_dim", 256);
  const Expr heads = c.integer("num_attention_heads", 8), inner = c.integer("dim_feedforward", 2048),
             queries = c.integer("num_queries", 100);
  const bool projects = c.flag("enforce_input_projection", false) || seen_width.decide() != d.decide();
  const std::vector<Expr> seen = taken_backbone(c, b, "pixel_level_module.encoder", deep_swin, 1);
  pixel_decoder(c, b, seen, {seen_width, masks, "feature_strides"});
  b.scope("transformer_module", [&] {
    b.part(Part::embedding, [&] {
      table(b, "queries_embedder", queries, d);
      table(b, "queries_features", queries, d);
      table(b, "level_embed", c.literal(3), d);
      if (projects) b.repeat("input_projections", all(c.literal(3)), [&] { conv2d(b, "", seen_width, d, 1); });
    });
    b.repeat("decoder.layers", layers_before_last(c), [&] {
      attention(b, "self_attn", mask_query_attention(d, heads));
      layer_norm(b, "self_attn_layer_norm", d);
      b.owned_by(Owner::cross, [&] { multihead_attention(b, "cross_attn", d); });
      layer_norm(b, "cross_attn_layer_norm", d);
      mlp(b, "", d, inner, true, "fc1", "fc2");
      layer_norm(b, "final_layer_norm", d);
    });
    layer_norm(b, "decoder.layernorm", d);
    b.part(Part::output_head, [&] { mask_mlp(b, "decoder.mask_predictor.mask_embedder", d, d, masks, 3); });
  });
  return {.hidden = d};
}

}  // namespace

extern const Family mask2former{
    .model_type = "mask2former",
    .summary = "Universal image segmentation: mask queries with masked attention.",
    .classes = {"Mask2Former", heads::base | heads::segments, "model"},
    .aliases = aliases,
    .backbone = backbone,
    .head = mask_class_head,
};

}  // namespace param_ledger
