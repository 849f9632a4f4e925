#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/expr/expr.hpp"
#include "core/support/buffer.hpp"

namespace param_ledger {

/// The operation's precedence, from 1 to 4. Operands of lower precedence need parentheses.
int binding(Op op);

/// The expression as one line of text for messages, e.g. (num_attention_heads + 2 × num_key_value_heads) × head_dim.
std::string write(Expr expr);

/// Writes the formulas of one answer in prefix notation, and numbers names in the order of first use. JavaScript parses these formulas
/// (web/answer/formula.ts) to display and export them. Tokens are separated by one space:
///
///   formula = <number of a name>
///           | "=" <digits>               a literal
///           | "+" <n>  n formulas        their sum, n ≥ 2; none of them a sum
///           | "*" <n>  n formulas        their product, n ≥ 2; none of them a product
///           | "-"  2 formulas            their difference
///           | "^"  formula, literal      a power
///           | "/"  2 formulas            their quotient, without remainder
///           | "f"  2 formulas            their quotient rounded down
///           | "c"  2 formulas            their quotient rounded up
///
/// With V as name 0 and d as name 1, 2·V·d + ⌈d ÷ 16⌉ is "+2 *3 =2 0 1 c 1 =16".
class PrefixWriter {
 public:
  /// Appends the formula to `out`.
  void write(Buffer& out, Expr expr);

  /// The names written so far; a name's number is its position here.
  [[nodiscard]] const std::vector<Expr>& names() const { return names_; }

 private:
  void write_node(Buffer& out, Expr e);
  void write_flattened(Buffer& out, Expr e, char sign);
  std::size_t number_of(Expr name);

  std::vector<Expr> rest_;              ///< a stack of expressions to write; the last one is written next
  std::vector<Expr> nested_;            ///< operands of the sum or product that is being flattened
  std::vector<Expr> names_;             ///< the names, in the order of first use
  std::vector<std::uint32_t> numbers_;  ///< for each Name::index: position in names_ + 1, or 0 if not written yet
};

}  // namespace param_ledger
