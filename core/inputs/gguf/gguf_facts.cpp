#include "core/inputs/gguf/gguf_facts.hpp"

#include <algorithm>

#include "core/support/text.hpp"

namespace param_ledger {

GgufFacts::GgufFacts(const GgufHead& head, const std::vector<ListedRow>& rows) : head_(head), rows_(rows) {
  for (const ListedRow& row : rows) names_.emplace_back(row.name, row.literal);
}

std::string GgufFacts::full(std::string_view key) const { return concat({head_.architecture(), ".", key}); }

std::uint64_t GgufFacts::number(std::string_view key, std::uint64_t otherwise) const { return head_.integer(full(key), otherwise); }

std::vector<std::uint64_t> GgufFacts::numbers(std::string_view key) const {
  const GgufValue* const value = head_.find(full(key));
  return value != nullptr ? value->integers : std::vector<std::uint64_t>();
}

std::uint64_t GgufFacts::most(std::string_view key) const {
  const std::vector<std::uint64_t> all = numbers(key);
  return all.empty() ? 0 : *std::max_element(all.begin(), all.end());
}

std::uint64_t GgufFacts::layers() const {
  const std::uint64_t next = number("nextn_predict_layers"), all = number("block_count");
  return next < all ? all - next : all;
}

std::size_t GgufFacts::listed_layers() const {
  constexpr std::uint64_t most_layers = 4096;
  return layers() <= most_layers ? static_cast<std::size_t>(layers()) : 0;
}

std::vector<std::size_t> GgufFacts::layers_with(std::string_view stack, std::string_view tensor) const {
  std::vector<bool> found(listed_layers());
  const std::string text = concat({stack, "blk.\x01.", tensor});
  for (const SplitName& name : names_) {
    if (name.text != text || name.indices.empty()) continue;
    for (const Run& run : name.indices.front())
      for (std::uint64_t i = run.first; i < found.size() && i <= run.last; ++i) found[static_cast<std::size_t>(i)] = true;
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i]) out.push_back(i);
  return out;
}

const ListedRow* GgufFacts::row(std::string_view name) const {
  const auto found = std::find_if(names_.begin(), names_.end(), [&](const SplitName& n) { return n.text == name; });
  return found == names_.end() ? nullptr : &rows_[static_cast<std::size_t>(found - names_.begin())];
}

}  // namespace param_ledger
