#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// Tensors of GGUF files under the names, and in the shapes, of the checkpoint that they were converted from, as llama.cpp's converter
/// renames, merges, splits and transposes those of that model. What only the converter writes (factors of positions) is left out.
/// `architecture`: as the file names it. Marks in `rows` what the checkpoint calls each of them, and which are buffers or copies.
std::vector<ListedRow> as_checkpoint(std::vector<ListedRow>& rows, std::string_view architecture, const Model& model);

/// How many tensors the converter writes of such a model, without what only it adds.
Count converted_tensors(std::string_view architecture, const Model& model);

}  // namespace param_ledger
