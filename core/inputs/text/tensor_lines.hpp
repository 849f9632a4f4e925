#pragma once

#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// How many lines give a tensor's name and shape, and how many do not, except blank lines, comments, headings, rules and totals. The two
/// counts show whether a text is a list of tensors.
struct LineCount {
  std::size_t tensors = 0;
  std::size_t others = 0;
};
/// Counts the lines until `decided` returns true for the counts so far.
LineCount count_tensor_lines(std::string_view text, bool (*decided)(const LineCount& so_far));

/// Adds tensors from text with one tensor per line, in common forms: `name: [4096, 4096]`, `name torch.Size([4096, 4096]) torch.float16`,
/// `name (4096, 4096) float32`, `name | 4096x4096 | F16`. Reports other lines as problems, except blank lines, comments, headings, rules
/// and totals that agree with the tensors.
void read_tensor_lines(std::string_view text, Listing& out);

}  // namespace param_ledger
