// DPT: a ViT or, for depth estimation, another backbone. The outputs of several layers are resized and fused step by step into a map of
// depths or labels.
// Source: transformers, models/dpt.

#include <algorithm>

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/dpt_neck.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr VitType type{.sizes = {768, 3072, 12, 12, 384, 16}, .layout = {.pooler = true}, .switches = qkv_bias, .own_head_dim = false};
constexpr std::string_view readouts[] = {"ignore", "add", "project"};

/// Whether the configuration has a backbone. With is_hybrid the backbone precedes ViT, otherwise it replaces ViT in the class for depth
/// estimation.
bool has_backbone(Config c) {
  refuse_named_backbone(c);
  return is_given(c, "backbone_config");
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool hybrid = c.flag("is_hybrid", false);
  const bool replaced = has_backbone(c) && !hybrid;
  Vit m = vit_fields(c, type);
  if (replaced && b.architecture().head == Head::depth_estimation) return {};
  if (!hybrid) return vit_model(c, b, m);
  if (!has_backbone(c)) c.refuse(ErrorCode::unsupported, "backbone_config", "must be given if is_hybrid is true.");
  if (c.text("readout_type", "project", readouts) != "project")
    c.refuse(ErrorCode::inconsistent, "readout_type", "must be \"project\" if is_hybrid is true.");
  const Expr d = m.layers.attention.hidden;
  const std::vector<Expr> seen = c.dimensions("backbone_featmap_shape", {1, 1024, 24, 24});
  if (seen.size() != 4) c.refuse(ErrorCode::out_of_range, "backbone_featmap_shape", "must have 4 entries.", Refused::list_length);
  b.scope(Part::embedding, "embeddings", [&] {
    Config section = c.section("backbone_config");
    const BackboneOutput given = nested_backbone_auto(section, b, "backbone", "bit");
    if (given.stages.empty() || tapped_stages(section, given.stages.size() - 1).size() != 3)
      section.refuse(ErrorCode::inconsistent, "out_features", "must name three stages.");
    tokens(b, "cls_token", 1, d);
    tokens(b, "position_embeddings", m.positions_count(b.pool()), d, TensorRole::position_embedding);
    conv2d(b, "projection", seen[1], d, 1);
  });
  vision_layers(b, m.layers);
  layer_norm(b, m.last_norm, d);
  if (b.architecture().head == Head::none)
    b.scope(Part::output_head, "pooler", [&] { linear(b, "dense", d, c.integer("pooler_output_size", unless_zero.or_else(d)), true); });
  return {.hidden = d};
}

/// Returns the input width of the neck, and records the backbone if it replaces ViT.
Expr seen_width(Config c, Builder& b, const BackboneOutput& m) {
  if (m.hidden) return m.hidden;
  Config section = c.section("backbone_config");
  const Json kind = section.peek("model_type");
  constexpr std::string_view known[] = {"beit", "dinov2", "dinov2_with_registers", "dinov3_vit", "swin", "vitdet"};
  if (!kind.is(Json::Type::string) || std::find(std::begin(known), std::end(known), kind.string()) == std::end(known))
    section.refuse(ErrorCode::unsupported, "model_type", "is not supported here as a backbone of this type.");
  return nested_backbone_auto(section, b, "backbone", "dinov2").hidden;
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head head = b.architecture().head;
  if (head == Head::none) return;
  const Expr seen = seen_width(c, b, m), d = c.integer("fusion_hidden_size", 256);
  const std::vector<Expr> widths = c.dimensions("neck_hidden_sizes", {96, 192, 384, 768});
  const bool project = c.text("readout_type", "project", readouts) == "project";
  reassemble_stage(c, b, seen, widths, project, c.flag("is_hybrid", false) ? 2 : 0);
  fused_levels(b, d, widths, fusion_switches(c));
  if (head == Head::depth_estimation) {
    constexpr Count projected = 256, narrow = 32;
    const Expr half = floor_divide(d, c.literal(2));
    const bool projects = c.flag("add_projection", false);
    return b.scope(Part::output_head, "head", [&] {
      if (projects) conv2d(b, "projection", c.literal(projected), c.literal(projected), 3);
      conv2d(b, "head.0", d, half, 3);
      conv2d(b, "head.2", half, c.literal(narrow), 3);
      conv2d(b, "head.4", c.literal(narrow), c.literal(1), 1);
    });
  }
  const Expr labels = num_labels(c);
  const bool twice = c.flag("use_auxiliary_head", true, Null::allowed);
  for (const Text name : {"head", "auxiliary_head"}) {
    if (name != "head" && !twice) continue;
    b.scope(Part::output_head, name, [&] {
      conv_norm(b, "head", d, d, 3, {.convolution = "0", .norm = "1"});
      conv2d(b, "head.4", d, labels, 1);
    });
  }
}

}  // namespace

extern const Family dpt{
    .model_type = "dpt",
    .summary = "Depth estimation and semantic segmentation: a ViT with a convolutional fusion decoder.",
    .classes = {"DPT", heads::base | heads::depth | heads::semantic, "dpt"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
