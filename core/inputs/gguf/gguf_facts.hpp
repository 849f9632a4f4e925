#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/gguf/gguf.hpp"
#include "core/inputs/tensors/split_name.hpp"

namespace param_ledger {

/// Looks up facts about the model in a GGUF file: the header's values under the architecture's prefix, and the tensors. In tensor names,
/// SplitName::mark stands for each index. The arguments of the constructor must outlive the object.
class GgufFacts {
 public:
  GgufFacts(const GgufHead& head, const std::vector<ListedRow>& rows);

  [[nodiscard]] bool says(std::string_view key) const { return head_.find(full(key)) != nullptr; }
  [[nodiscard]] std::uint64_t number(std::string_view key, std::uint64_t otherwise = 0) const;
  [[nodiscard]] bool flag(std::string_view key) const { return number(key) != 0; }
  /// The integers under this key, from a list or a single value; empty if there are none.
  [[nodiscard]] std::vector<std::uint64_t> numbers(std::string_view key) const;
  /// The largest integer under this key, from a list or a single value; 0 if there is none.
  [[nodiscard]] std::uint64_t most(std::string_view key) const;

  /// The number of layers, not counting multi-token prediction layers.
  [[nodiscard]] std::uint64_t layers() const;
  /// Like `layers()`, but 0 if there are too many layers to list.
  [[nodiscard]] std::size_t listed_layers() const;
  /// The indices of the layers that have this tensor, in ascending order. `stack` is "enc.", "dec." or empty.
  [[nodiscard]] std::vector<std::size_t> layers_with(std::string_view stack, std::string_view tensor) const;

  /// The first tensor with this name; null if there is none.
  [[nodiscard]] const ListedRow* row(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return row(name) != nullptr; }

 private:
  [[nodiscard]] std::string full(std::string_view key) const;

  const GgufHead& head_;
  const std::vector<ListedRow>& rows_;
  std::vector<SplitName> names_;
};

}  // namespace param_ledger
