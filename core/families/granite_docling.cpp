// Granite Docling: SigLIP's vision transformer with a connector that concatenates neighbouring patches at one or two resolutions and also
// passes the outputs of the layers in deepstack_visual_indexes to the text model, a Granite.
// Source: transformers, models/granite_docling.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family granite_docling_text;  // defined in granite.cpp

namespace {

/// Records the connector's layers for one resolution, at which `side` × `side` patches become one token.
void path(Builder& b, Text name, Expr d, Expr side, Expr out, Expr n_taken) {
  require_positive(side);
  const Expr joined = d * power(side, 2);
  b.scope(name, [&] {
    linear(b, "projection", joined, out);
    b.repeat("deepstack_mergers", all(n_taken), [&] {
      layer_norm(b, "layer_norm", joined);
      two_layers(b, joined, out, out, true);
    });
  });
}

BackboneOutput vision_backbone(Config c, Builder& b) {
  const Expr out = c.integer("out_hidden_size", 1024), side = c.integer("scale_factor", 4, 1);
  const bool fine = c.flag("use_fine_route", true);
  const std::size_t taken = c.integers("deepstack_visual_indexes").value_or(std::vector<std::int64_t>{3, 7, 10}).size();
  const Expr n_taken = c.count("num_deepstack_layers", "L_ds", "Vision layers whose outputs the text model also reads (DeepStack).", taken);
  const Expr d = siglip_encoder(c, b, {768, 3072, 12, 12, 512, 16}).attention.hidden;
  layer_norm(b, "post_layernorm", d);
  b.tower(Tower::projector, "connector", [&] {
    layer_norm(b, "ln_in", d);
    path(b, "coarse", d, side, out, n_taken);
    if (fine) path(b, "fine", d, floor_divide(side, c.literal(2)), out, n_taken);
    layer_norm(b, "ln_mid", out);
    linear(b, "mlp_fc2", out, out);
    layer_norm(b, "ln_out", out);
  });
  return {.hidden = d};
}
constexpr Family vision_model{
    .backbone = vision_backbone,
};

BackboneOutput backbone(Config c, Builder& b) {
  Config vision = c.section("vision_config");
  BackboneOutput tower;
  b.tower(Tower::vision, "vision_model", [&] { tower = nested(vision, b, "", vision_model); });
  const auto router = c.optional_integer("density_router_hidden_size");
  BackboneOutput out = nested(c.section("text_config"), b, "text_model", granite_docling_text);
  require_equal(vision.integer("out_hidden_size", 1024), out.hidden);
  if (router)
    b.tower(Tower::projector, "density_router", [&] {
      linear(b, "att", tower.hidden, c.literal(1), true);
      layer_norm(b, "norm", tower.hidden);
      linear(b, "fc1", tower.hidden, *router, true);
      linear(b, "fc2", *router, c.literal(1), true);
    });
  return out;
}

constexpr Architecture vision_classes[] = {{"GraniteDoclingVisionModel", Head::none, ""}};

}  // namespace

extern const Family granite_docling{
    .model_type = "granite_docling",
    .summary = "Document conversion (OCR): a small Granite with SigLIP.",
    .classes = {"GraniteDocling", heads::conditional | heads::base},
    .backbone = backbone,
};
extern const Family granite_docling_vision{
    .model_type = "granite_docling_vision",
    .summary = "Vision encoder and connector of Granite Docling.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
