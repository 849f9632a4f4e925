#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expr/expr.hpp"

namespace param_ledger {

/// Writes expressions as lines of arithmetic that core/claims/arithmetic.hpp reads: `2 × V × d + L × (attention + norm)`. A name is
/// written as its symbol, or as itself if it has none, in letters, digits and `_` only. A number is appended if another name already has
/// this spelling.
class ArithmeticText {
 public:
  /// The expression as one line. Adds its names to `written`.
  std::string line(Expr expr);

  /// The unique spelling of a name. Adds the name to `written`, after the names in its definition.
  const std::string& letters(Expr name);

  /// A spelling for a new name: `wanted`, with a number appended if a written name has this spelling or `pool` has a name
  /// with these letters.
  [[nodiscard]] std::string free_letters(const Pool& pool, std::string_view wanted) const;

  /// The names written so far, in the order of first use; definitions come before the names that use them.
  [[nodiscard]] const std::vector<std::pair<Expr, std::string>>& written() const { return written_; }

 private:
  [[nodiscard]] bool is_taken(std::string_view letters) const;

  std::vector<std::pair<Expr, std::string>> written_;
  std::vector<std::string> taken_;
};

}  // namespace param_ledger
