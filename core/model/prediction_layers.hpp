#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/family.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// Records the layers that published files hold beside the model to predict further tokens, once all of the model is recorded: as the
/// model's own layers are, as many as the configuration says. Notes where nobody tells what they hold.
void record_prediction_layers(Config c, Builder& b, const PredictionLayers& type);

/// True for a row of such a layer.
bool is_prediction(const Row& row);

}  // namespace param_ledger
