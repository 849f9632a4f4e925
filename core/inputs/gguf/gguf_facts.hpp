#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/gguf/gguf.hpp"
#include "core/inputs/tensors/split_name.hpp"

namespace param_ledger {

/// What a GGUF file says of its model: the values of its head, under the architecture's name, and which tensors there are. Names of tensors
/// have a mark in the place of each index. What it is made of must outlive it.
class GgufFacts {
 public:
  GgufFacts(const GgufHead& head, const std::vector<ListedRow>& rows);

  [[nodiscard]] bool says(std::string_view key) const { return head_.find(full(key)) != nullptr; }
  [[nodiscard]] std::uint64_t number(std::string_view key, std::uint64_t otherwise = 0) const;
  [[nodiscard]] bool flag(std::string_view key) const { return number(key) != 0; }
  /// All of a list.
  [[nodiscard]] std::vector<std::uint64_t> numbers(std::string_view key) const;
  /// The largest of a list.
  [[nodiscard]] std::uint64_t most(std::string_view key) const;

  /// Layers, without those that predict further tokens.
  [[nodiscard]] std::uint64_t layers() const;
  /// As many, where they are few enough to list them; else 0.
  [[nodiscard]] std::size_t listed_layers() const;
  /// Those that have a tensor, ascending.
  [[nodiscard]] std::vector<std::size_t> layers_with(std::string_view stack, std::string_view tensor) const;

  /// The first row of that name; null where there is none.
  [[nodiscard]] const ListedRow* row(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return row(name) != nullptr; }

 private:
  [[nodiscard]] std::string full(std::string_view key) const;

  const GgufHead& head_;
  const std::vector<ListedRow>& rows_;
  std::vector<SplitName> names_;
};

}  // namespace param_ledger
