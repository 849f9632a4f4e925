// Nemotron-H: each layer is a Mamba-2 mixer, attention, a feed-forward block or a mixture of experts. layers_block_type lists the kinds of
// layers; older configurations give them as a string with one character per layer.
// Source: transformers, models/nemotron_h.

#include "core/nn/text/nemotron_h.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) { return nemotron_h_backbone(c, b); }

}  // namespace

extern const Family nemotron_h{
    .model_type = "nemotron_h",
    .summary = "Hybrid of Mamba-2, attention, MLP and mixture-of-experts layers in a configurable pattern.",
    .classes = {"NemotronH", heads::decoder, "backbone"},
    .aliases = nemotron_h_aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::pattern, .field = "num_nextn_predict_layers", .always = false},
};

}  // namespace param_ledger
