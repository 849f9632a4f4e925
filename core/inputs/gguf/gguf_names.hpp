#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// Returns a GGUF file's tensors with the names and shapes of the original checkpoint, by reversing how llama.cpp's converter renames,
/// merges, splits and transposes them. Omits tensors that only the converter adds (RoPE factors), and returns unrecognised tensors
/// unchanged. `architecture` is the file's general.architecture. Also sets the original name of each element of `rows` that was recognised,
/// and marks buffers and tied copies.
std::vector<ListedRow> as_checkpoint(std::vector<ListedRow>& rows, std::string_view architecture, const Model& model);

/// The number of tensors that the converter writes for a model, not counting the RoPE factors that it adds.
Count converted_tensors(std::string_view architecture, const Model& model);

}  // namespace param_ledger
