#include "core/row_names.hpp"

#include <algorithm>

namespace param_ledger {

std::vector<std::string_view> segments_of(std::string_view name) {
  std::vector<std::string_view> out;
  while (!name.empty()) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    out.push_back(name.substr(0, dot));
    name.remove_prefix(std::min(dot + 1, name.size()));
  }
  return out;
}

Repeated repeated(const Row& row) {
  if (row.repeats.empty()) return {};
  const std::string_view name = row.name;
  for (std::size_t at = name.find('.'); at != std::string_view::npos;) {
    const std::size_t end = name.find('.', ++at);
    if (end == std::string_view::npos) break;
    const std::string_view segment = name.substr(at, end - at);
    if (is_index(segment)) return {name.substr(0, at - 1), segment, name.data() + end + 1};
    at = end;
  }
  return {};
}

}  // namespace param_ledger
