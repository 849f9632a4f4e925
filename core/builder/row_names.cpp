#include "core/builder/row_names.hpp"

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

Count size_of(std::span<const Run> runs) {
  Count out = 0;
  for (const Run& run : runs)
    if (run.last >= run.first) out += Count{run.last} - run.first + 1;
  return out;
}

bool same_runs(std::span<const Run> a, std::span<const Run> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Run& x, const Run& y) { return x.first == y.first && x.last == y.last; });
}

std::string_view module_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
}

std::string_view without_weight(std::string_view name) {
  constexpr std::string_view weight = ".weight";
  return name.ends_with(weight) ? name.substr(0, name.size() - weight.size()) : name;
}

Repeated repeated(const Row& row) {
  Repeated out;
  if (row.repeats.empty()) return out;
  const std::string_view name = row.name;
  const auto split = [&](std::string_view before, std::string_view index) {
    const char* const end = index.data() + index.size();
    if (end != name.data() + name.size()) out = {before, index, end + 1};
    return true;
  };
  const std::size_t at = row.repeated_at;
  if (at > 0 && name[at - 1] == '.')
    split(name.substr(0, at - 1), name.substr(at, name.find('.', at) - at));
  else
    any_index(name, split);
  return out;
}

}  // namespace param_ledger
