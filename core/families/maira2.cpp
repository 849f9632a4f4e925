// Microsoft's MAIRA-2: a vision backbone, a projector with a configurable number of layers, and a language model. The three modules are
// named as in LLaVA's published files for transformers. Source: modeling_maira2.py as published with microsoft/maira-2.

#include "core/nn/heads.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/nested.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  Config seen = c.section("vision_config"), text = c.section("text_config");
  const Expr n_layers = c.integer("projector_n_layers", required(4), 1);
  constexpr Count most = 100;
  if (n_layers.decide() > most) c.refuse(ErrorCode::too_large, "projector_n_layers", "must be at most 100.");
  Expr d_seen;
  b.tower(Tower::vision, "", [&] { d_seen = nested_backbone_auto(seen, b, "vision_tower", "dinov2").hidden; });
  const BackboneOutput out = nested_with_head(text, b, "language_model", family_of_section(text, b, "llama"), Head::causal_lm);
  b.tower(Tower::projector, "multi_modal_projector.layers", [&] {
    for (Count i = 0; i < n_layers.decide(); ++i) linear(b, digits(2 * i), i == 0 ? d_seen : out.hidden, out.hidden, true);
  });
  return out;
}

void no_further_head(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

constexpr Architecture classes[] = {{"Maira2ForConditionalGeneration", Head::conditional_generation, ""}};

}  // namespace

extern const Family maira2{
    .model_type = "maira2",
    .summary = "Radiology report generation from chest X-rays: a vision encoder and a language model.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = no_further_head,
    .own_code = true,
};

}  // namespace param_ledger
