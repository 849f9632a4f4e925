#pragma once

#include <vector>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// Records the scales that quantised files hold beside a model's matrices, as quantization_config says. Notes what it cannot tell.
void record_scales_of_files(Config c, Builder& b);

/// Whether the rows hold all that the published files do: without a quantisation, or with one that stores scales as tensors of their own
/// and packs no numbers. Other formats hold elements that are not counted here.
bool knows_files(Json root);

/// True for linear layers that quantised files hold in few bits: not the router, not the head, nor what joins a prediction layer.
bool in_few_bits(const Row& row);
/// How many copies of each row such files convert where they convert it at all: all but those that the lists of quantization_config name.
std::vector<Count> converted_copies(Json quantization, const std::vector<Row>& rows);
/// True for the scales of a quantised matrix.
bool is_scale(const Row& row);

}  // namespace param_ledger
