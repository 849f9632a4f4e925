// PP-DocLayout, versions 3 and 4: RT-DETR for page layouts, with a prediction of the reading order. Version 3 also predicts masks. Source:
// transformers, models/pp_doclayout_v3, pp_doclayout_v4.

#include <algorithm>
#include <cmath>

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/hybrid_encoder.hpp"

namespace param_ledger {

extern const Family hgnet_v2;

namespace {

/// Records the layers that predict masks: they upsample all feature levels to the resolution of the largest one and fuse them with an early
/// feature map.
void masks(Config c, Builder& b, Expr d, Expr prototypes) {
  const std::vector<Expr> widths = c.dimensions("mask_feature_channels", {64, 64});
  const Expr shallow = c.integer("x4_feat_dim", 128);
  std::vector<std::int64_t> strides = c.integers("feat_strides", {8, 16, 32});
  if (widths.size() < 2) c.refuse(ErrorCode::out_of_range, "mask_feature_channels", "must have 2 entries.", Refused::list_length);
  std::sort(strides.begin(), strides.end());
  if (strides.empty() || strides.front() < 1)
    c.refuse(ErrorCode::out_of_range, "feat_strides", "must contain whole numbers of at least 1.", Refused::list_length);
  b.scope(Part::output_head, "encoder", [&] {
    for (std::size_t i = 0; i < strides.size(); ++i) {
      const double doublings = std::log2(static_cast<double>(strides[i])) - std::log2(static_cast<double>(strides.front()));
      const std::size_t n = std::max<std::size_t>(1, static_cast<std::size_t>(doublings));
      // Between these convolutions there are upsampling layers, which have no parameters.
      for (std::size_t k = 0; k < n; ++k)
        conv_norm(b, concat({"mask_feature_head.scale_heads.", digits(i), ".layers.", digits(Count{2} * k)}), k == 0 ? d : widths[0],
                  widths[0], 3);
    }
    conv_norm(b, "mask_feature_head.output_conv", widths[0], widths[1], 3);
    conv_norm(b, "encoder_mask_lateral", shallow, widths[1], 3);
    conv_norm(b, "encoder_mask_output.base_conv", widths[1], widths[1], 3);
    conv2d(b, "encoder_mask_output.conv", widths[1], prototypes, 1);
  });
}

/// Records the heads that select queries, and the decoder's heads. If `tied`, the latter are tied to the former.
void tied_heads(Builder& b, Expr d, Expr labels, bool tied) {
  const Expr four = b.pool().literal(4);
  const auto both = [&](Text owner, Text other, Text module, Expr out) {
    const auto leaf = [&](Text name, std::initializer_list<Expr> shape, StorageKind role) {
      const std::string path = concat({module, name}), again = concat({"decoder.", other, path});
      const Tensor one = b.parameter(concat({owner, path}), shape, role);
      if (tied)
        b.tied(again, one);
      else
        b.parameter(again, shape, role);
    };
    leaf("weight", {out, d}, StorageKind::matrix);
    leaf("bias", {out}, StorageKind::vector);
  };
  b.part(Part::output_head, [&] {
    both("enc_score_head.", "class_embed.", "", labels);
    for (const Text layer : {"layers.0.", "layers.1."}) both("enc_bbox_head.", "bbox_embed.", layer, d);
    both("enc_bbox_head.", "bbox_embed.", "layers.2.", four);
  });
}

template <bool fourth>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = fourth ? c.integer("hidden_size", 256) : c.integer("d_model", 256), seen_width = c.integer("encoder_hidden_dim", 256);
  const Expr n_levels = c.integer("num_feature_levels", 3), points = c.integer("decoder_n_points", 4), labels = num_labels(c);
  const Expr pointer = c.integer("global_pointer_head_size", 64), corners = c.literal(fourth ? 10 : 4);
  const Stack decoder = decoder_fields(c, d, {6, 1024, 8});
  std::vector<Expr> seen = hybrid_backbone(c, b, "backbone.model", hgnet_v2);
  // Version 3 has an additional level from an early stage, which only the masks use.
  if (!fourth && is_given(c, "backbone_config")) seen.erase(seen.begin());
  encoder_input_proj(b, "encoder_input_proj", seen, seen_width);
  hybrid_layers(c, b, seen_width);
  fuse_hybrid_levels(c, b, seen_width, c.dimensions("encoder_in_channels", {512, 1024, 2048}).size());
  const bool denoises = c.integer("num_denoising", 100).decide() > 0;
  b.part(Part::embedding, [&] {
    if (b.architecture().head == Head::object_detection && !fourth)
      table(b, "denoising_class_embed", labels, d);  // the detection class has a denoising table of its own, even if there is no denoising
    else if (denoises)
      table(b, "denoising_class_embed", fourth ? labels : labels + 1, d);
    if (!fourth && c.flag("learn_initial_query", false)) table(b, "weight_embedding", c.integer("num_queries", 300), d);
    mlp_head(b, "decoder.query_pos_head", corners, 2 * d, d, 2);
  });
  decoder_levels(c, b, d);
  b.repeat("decoder.layers", all(decoder.n_layers), [&] {
    attention(b, "self_attn", {.hidden = d, .heads = decoder.heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"});
    layer_norm(b, "self_attn_layer_norm", d);
    b.owned_by(Owner::cross, [&] { deformable_attention(b, "encoder_attn", {d, decoder.heads, n_levels, points}); });
    layer_norm(b, "encoder_attn_layer_norm", d);
    mlp(b, "", d, decoder.inner, true, "fc1", "fc2");
    layer_norm(b, "final_layer_norm", d);
  });
  b.part(Part::output_head, [&] {
    linear(b, "enc_output.0", d, d, true);
    layer_norm(b, "enc_output.1", d);
    b.repeat("decoder_order_head", all(decoder.n_layers), [&] { linear(b, "", d, d, true); });
    if (!fourth) return linear(b, "decoder_global_pointer.dense", d, 2 * pointer, true);
    linear(b, "enc_score_head", d, labels, true);
    mlp_head(b, "enc_bbox_head", d, d, corners, 3);
    b.repeat("decoder.class_embed", all(decoder.n_layers), [&] { linear(b, "", d, labels, true); });
    b.repeat("decoder.bbox_embed", all(decoder.n_layers), [&] { mlp_head(b, "", d, d, corners, 3); });
    b.repeat("decoder_roor_order_head", all(decoder.n_layers), [&] { linear(b, "", d, d, true); });
    for (const Text head : {"decoder_global_pointer.", "decoder_roor_global_pointer."})
      for (const Text way : {"q_proj", "k_proj"}) linear(b, concat({head, way}), d, pointer, true);
    b.parameter("s2r_fusion.a", {c.literal(1)});
  });
  if (fourth) return {.hidden = d};
  const Expr prototypes = c.integer("num_prototypes", 32);
  masks(c, b, seen_width, prototypes);
  tied_heads(b, d, labels, c.flag("tie_word_embeddings", true));
  layer_norm(b, "decoder_norm", d);
  b.part(Part::output_head, [&] { mlp_head(b, "mask_query_head", d, d, prototypes, 3); });
  return {.hidden = d};
}

/// Records nothing, because the backbone has already recorded all heads.
void head(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

constexpr Alias fourth_aliases[] = {{"d_model", "hidden_size"}, {"num_attention_heads", "encoder_attention_heads"}};

}  // namespace

extern const Family pp_doclayout_v3{
    .model_type = "pp_doclayout_v3",
    .summary = "Document layout analysis: layout detection with instance masks and reading order.",
    .classes = {"PPDocLayoutV3", heads::base | heads::objects, "model"},
    .aliases = hybrid_aliases,
    .backbone = backbone<false>,
    .head = head,
};
extern const Family pp_doclayout_v4{
    .model_type = "pp_doclayout_v4",
    .summary = "Document layout analysis: quadrilateral detection with reading order.",
    .classes = {"PPDocLayoutV4", heads::base | heads::objects, "model"},
    .aliases = fourth_aliases,
    .backbone = backbone<true>,
    .head = head,
};

}  // namespace param_ledger
