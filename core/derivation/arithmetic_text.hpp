#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expr/expr.hpp"

namespace param_ledger {

/// Writes expressions as lines of arithmetic that core/claims/arithmetic.hpp reads: `2 × V × d + L × (attention + norm)`. Names are written
/// by their symbols, as letters of their own.
class ArithmeticText {
 public:
  /// The expression as one line.
  std::string line(Expr expr);

  /// The letters that a name is written by: no two names have the same.
  const std::string& letters(Expr name);

  /// Letters for a name to be made: as asked for where neither these letters nor a name of the pool are that, else with a number behind.
  [[nodiscard]] std::string free_letters(const Pool& pool, std::string_view wanted) const;

  /// What was written, in the order of first use; what a name follows from stands before it.
  [[nodiscard]] const std::vector<std::pair<Expr, std::string>>& written() const { return written_; }

 private:
  [[nodiscard]] bool is_taken(std::string_view letters) const;

  std::vector<std::pair<Expr, std::string>> written_;
  std::vector<std::string> taken_;
};

}  // namespace param_ledger
