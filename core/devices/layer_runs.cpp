#include "core/devices/layer_runs.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"

namespace param_ledger {

std::vector<Run> cut(std::span<const Run> runs, std::uint64_t first, std::uint64_t end) {
  std::vector<Run> out;
  for (const Run& run : runs)
    if (run.first < end && run.last >= first) out.push_back({std::max(run.first, first), std::min(run.last, end - 1)});
  return out;
}

void append(std::vector<Run>& runs, Run run) {
  if (!runs.empty() && runs.back().last + 1 == run.first)
    runs.back().last = run.last;
  else
    runs.push_back(run);
}

std::string_view first_index(std::string_view name) {
  std::string_view out;
  any_index(name, [&](std::string_view, std::string_view word) {
    out = word;
    return true;
  });
  return out;
}

std::string_view last_index(std::string_view name) {
  std::string_view out;
  any_index(name, [&](std::string_view, std::string_view word) {
    out = word;
    return false;
  });
  return out;
}

}  // namespace param_ledger
