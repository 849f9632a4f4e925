#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/family.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// Records the prediction layers in published files of a language model, which must be recorded already. They are built like its own
/// layers, and the configuration usually gives their number. Adds a note if their contents are not known.
void record_prediction_layers(Config c, Builder& b, const PredictionLayers& type);

/// Whether the row belongs to a prediction layer. False for the scales of its quantized matrices.
bool is_prediction(const Row& row);

}  // namespace param_ledger
