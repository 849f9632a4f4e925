#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/support/parse.hpp"

namespace param_ledger {

/// The integers in `(4096,)`, `[3, 4]`, `torch.Size([4096])` or `4096`; none if the text contains anything else.
std::optional<std::vector<std::uint64_t>> integers_written(std::string_view text);

/// The arguments in the parentheses of a printed module: `in_features=4096` by name, `(4096,)` by position.
class PrintedArguments {
 public:
  explicit PrintedArguments(std::string_view text);

  /// The value of a named argument, as written; empty if there is none.
  [[nodiscard]] std::string_view named(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> integer_of(std::string_view name) const { return integer_written(named(name)); }
  /// The positional argument with index `place`; empty if there is none.
  [[nodiscard]] std::string_view at(std::size_t place) const;
  [[nodiscard]] std::optional<std::uint64_t> integer_at(std::size_t place) const { return integer_written(at(place)); }
  [[nodiscard]] bool flag(std::string_view name, bool otherwise) const;

 private:
  std::vector<std::string_view> pieces_;
};

}  // namespace param_ledger
