#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expr/expr.hpp"

namespace param_ledger {

/// Writes expressions as lines of arithmetic that core/claims/arithmetic.hpp reads: `2 × V × d + L × (attention + norm)`. Each name is
/// written as its symbol, with a number appended if another name has the same symbol.
class ArithmeticText {
 public:
  /// The expression as one line.
  std::string line(Expr expr);

  /// The unique spelling of a name.
  const std::string& letters(Expr name);

  /// A spelling for a new name: `wanted`, with a number appended if another name already has this spelling.
  [[nodiscard]] std::string free_letters(const Pool& pool, std::string_view wanted) const;

  /// The names written so far, in the order of first use; definitions come before the names that use them.
  [[nodiscard]] const std::vector<std::pair<Expr, std::string>>& written() const { return written_; }

 private:
  [[nodiscard]] bool is_taken(std::string_view letters) const;

  std::vector<std::pair<Expr, std::string>> written_;
  std::vector<std::string> taken_;
};

}  // namespace param_ledger
