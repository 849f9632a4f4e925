#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/expr/expr.hpp"
#include "core/support/buffer.hpp"

namespace param_ledger {

/// The operation as it is written: a quotient rounded up that is whole anyhow is one like any other.
Op written_op(Expr e);
/// How tightly an operation binds, from 1 to 4; an operand that binds less gets parentheses.
int binding(Op op);

/// The expression as one line of text, for messages: (num_attention_heads + 2 × num_key_value_heads) × head_dim.
std::string write(Expr expr);

/// Writes the formulas of one answer in prefix notation, from which JavaScript makes names, symbols, numbers and MathML,
/// and numbers the names in the order in which it meets them. Tokens are separated by one space:
///
///   formula = <number of a name>
///           | "=" <digits>               a literal
///           | "+" <n>  n formulas        their sum, n ≥ 2; none of them is a sum itself
///           | "*" <n>  n formulas        their product, n ≥ 2; none of them is a product itself
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

  /// The names written so far; the number of a name is its place here.
  [[nodiscard]] const std::vector<Expr>& names() const { return names_; }

 private:
  void write_node(Buffer& out, Expr e);
  void write_flattened(Buffer& out, Expr e, char sign);
  std::size_t number_of(Expr name);

  std::vector<Expr> rest_;              ///< still to be written, the next one last
  std::vector<Expr> nested_;            ///< of the sum or product that is being flattened
  std::vector<Expr> names_;             ///< in the order of first use
  std::vector<std::uint32_t> numbers_;  ///< of the pool's names, 1 more than their place in names_; 0: not written yet
};

}  // namespace param_ledger
