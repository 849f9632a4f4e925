#pragma once

#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// How many of the lines name a tensor and its shape, and how many say something else: to tell a list from other text.
struct LineCount {
  std::size_t tensors = 0;
  std::size_t others = 0;
};
/// Counts until `decided` of what was counted so far, or the end.
LineCount count_tensor_lines(std::string_view text, bool (*decided)(const LineCount& so_far));

/// Adds the tensors of a text, one a line, as people print them: `name: [4096, 4096]`, `name torch.Size([4096, 4096]) torch.float16`,
/// `name (4096, 4096) float32`, `name | 4096x4096 | F16`. Lines that say something else are problems, headings and rules are not.
void read_tensor_lines(std::string_view text, Listing& out);

}  // namespace param_ledger
