#include "core/devices/rule_matching.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"

namespace param_ledger {

namespace {

/// The module that rules use for routed experts; empty for any other row.
std::string_view expert_module(const Row& row) {
  if (!row.experts) return {};
  switch (row.role) {
    case TensorRole::gate:
    case TensorRole::up:
    case TensorRole::gate_and_up: return "experts.gate_up_proj";
    case TensorRole::down: return "experts.down_proj";
    default: return {};
  }
}

}  // namespace

bool is_one_of(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('|'), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

bool is_routed_expert(const Row& row) { return !expert_module(row).empty(); }

std::vector<std::string_view> words_for_rules(const Row& row, std::string_view name) {
  const std::string_view expert = expert_module(row);
  return segments_of(expert.empty() ? name : expert);
}

bool names_words(std::string_view module, std::span<const std::string_view> words) {
  const std::vector<std::string_view> wanted = segments_of(module);
  if (words.size() != wanted.size() && words.size() != wanted.size() + 1) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] != "*" && !is_one_of(wanted[i], words[i])) return false;
  return true;
}

}  // namespace param_ledger
