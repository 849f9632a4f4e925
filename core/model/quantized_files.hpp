#pragma once

#include <vector>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// The quantization of the published files, and the field that describes it: quantization_config, compression_config (older
/// compressed-tensors), or MLX's `quantization`. Empty if a configuration has none.
struct Quantization {
  Text field;
  Json json;
};
Quantization quantization_of(Json root);

/// Records the scales that files in block-wise fp8 or MXFP4 store in addition to a model's matrices, according to quantization_config. Adds
/// notes on anything that is not known.
void record_scales_of_files(Config c, Builder& b);

/// Whether quantization adds nothing to the published files that the rows lack. True for files that are not quantized, and for formats
/// whose scales are recorded as tensors (block-wise fp8, MXFP4). Files in other formats contain elements that are not counted.
bool knows_files(Json root);

/// Whether quantized files usually store the row in few bits. They do for the matrices of attention (except the indexer's weights_proj),
/// state-space and feed-forward blocks, and for those of towers except projectors. The input projection of a prediction layer counts as a
/// projector.
bool in_few_bits(const Row& row);
/// For each row, how many of its copies are quantized if the method quantizes rows of its kind: all except those that quantization_config
/// lists as exceptions.
std::vector<Count> converted_copies(Json quantization, const std::vector<Row>& rows);
/// Whether `record_scales_of_files` recorded the row. False for scales that a family records itself.
bool is_scale(const Row& row);

}  // namespace param_ledger
