#pragma once

#include <vector>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// The quantization of the published files, and its field: quantization_config, compression_config (older compressed-tensors), or MLX's
/// `quantization`. Empty if a configuration has none.
struct Quantization {
  Text field;
  Json json;
};
Quantization quantization_of(Json root);

/// Records the scales that quantized files store in addition to a model's matrices, from quantization_config. Adds notes on what is not
/// known.
void record_scales_of_files(Config c, Builder& b);

/// Whether the rows are everything in the published files. True without quantization, or if scales are separate tensors and numbers are not
/// packed. Other formats have elements that are not counted here.
bool knows_files(Json root);

/// Whether quantized files store the row in few bits: linear layers, except the router, the head and the input projection of prediction
/// layers.
bool in_few_bits(const Row& row);
/// How many copies of each row such files convert, if they convert the row: all except those in the lists of quantization_config.
std::vector<Count> converted_copies(Json quantization, const std::vector<Row>& rows);
/// Whether the row is the scales of a quantized matrix.
bool is_scale(const Row& row);

}  // namespace param_ledger
