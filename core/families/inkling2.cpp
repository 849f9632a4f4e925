// Inkling 2 with vision: a vision transformer that merges neighbouring patches, and Inkling 2's text model.
// Source: transformers, models/inkling2.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family inkling2_text;  // defined in inkling2_text.cpp

namespace {

/// The vision tower's module names. They differ between files of the tower alone, of the bare model and of the model with a head.
struct Names {
  Text norm1 = "ln_1", norm2 = "ln_2", up = "c_fc", down = "c_proj", scale1 = "ls_1.gamma", scale2 = "ls_2.gamma";
  Text positions = "position_embedding", scope = {}, first_norm = "pre_layernorm", merger1 = "merger.linear_1", merger2 = "merger.linear_2";
};
constexpr Names names_bare{};
constexpr Names names_alone{.norm1 = "layernorm_before",
                            .norm2 = "layernorm_after",
                            .up = "fc1",
                            .down = "fc2",
                            .scale1 = "lambda_1",
                            .scale2 = "lambda_2",
                            .positions = "position_embedding.weight"};
constexpr Names names_whole{.scope = "backbone", .first_norm = "ln_pre", .merger1 = "proj_in", .merger2 = "proj_out"};
constexpr Alias vision_aliases[] = {{"native_patch_size", "patch_size"}, {"adapter_merge_size", "spatial_merge_size"}};

Expr tower(Config c, Builder& b, const Names& names) {
  VisionLayers m{
      .norm1 = names.norm1, .norm2 = names.norm2, .up = names.up, .down = names.down, .scale1 = names.scale1, .scale2 = names.scale2};
  const Expr d = m.attention.hidden = c.integer("hidden_size", 1024);
  m.inner = c.integer("intermediate_size", c.scaled("mlp_ratio", 4.0, d, "inner_width", "f"));
  m.n_layers = c.integer("num_hidden_layers", 23);
  m.attention.heads = c.integer("num_attention_heads", 16, 1);
  const Expr patch = c.integer("patch_size", 20), channels = c.integer("num_channels", 3), grid = c.integer("posemb_grid_size", 32);
  const Expr merged = power(c.integer("spatial_merge_size", 2), 2) * d, inner = c.integer("projection_hidden_dim", 4096);
  const Expr out = c.integer("text_hidden_size", 4608);
  const bool bias = c.flag("projector_bias", false);
  b.scope(names.scope, [&] {
    b.scope(Part::embedding, "embeddings", [&] {
      b.parameter("class_embedding", {d});
      b.parameter("cls_position_embedding", {d});
      linear(b, "patch_embedding", channels * power(patch, 2), d);
      b.parameter(names.positions, {power(grid, 2), d}, StorageKind::table);
    });
    layer_norm(b, names.first_norm, d);
    vision_layers(b, m);
  });
  b.tower(Tower::projector, "", [&] {
    linear(b, names.merger1, merged, inner, bias);
    linear(b, names.merger2, inner, out, bias);
  });
  return out;
}

BackboneOutput vision_backbone(Config c, Builder& b) { return {.hidden = tower(c, b, names_alone)}; }

BackboneOutput backbone(Config c, Builder& b) {
  const bool bare = b.architecture().head == Head::none;
  Config seen = c.section("vision_config").with(vision_aliases);
  seen.consume("model_type");
  Expr width;
  b.tower(Tower::vision, bare ? "vision_tower" : "visual", [&] { width = tower(seen, b, bare ? names_bare : names_whole); });
  Config words = c.section("text_config");
  require_type(words, "inkling2_text");
  const BackboneOutput out = nested(words, b, bare ? "language_model" : "llm", inkling2_text);
  require_equal(width, out.hidden);
  return out;
}

constexpr Architecture vision_classes[] = {{"Inkling2VisionModel", Head::none, ""}};

}  // namespace

extern const Family inkling2{
    .model_type = "inkling2",
    .summary = "Vision-language model: Inkling 2 with a vision encoder.",
    .classes = {"Inkling2", heads::conditional | heads::base},
    .backbone = backbone,
};
extern const Family inkling2_vision{
    .model_type = "inkling2_vision",
    .summary = "Vision encoder of Inkling 2.",
    .classes = {.listed = vision_classes},
    .aliases = vision_aliases,
    .backbone = vision_backbone,
};

}  // namespace param_ledger
