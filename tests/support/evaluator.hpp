#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/count.hpp"
#include "tests/support/support.hpp"

// Reads a formula in prefix notation, evaluates it, and writes it in infix notation. Shares no code with the core's writer of formulas. The
// notation is documented at PrefixWriter in core/expr/formula.hpp.
namespace param_ledger::test {

/// A formula as a tree. `sign` is '=' for a literal, 'n' for a name, and otherwise the sign of an operation. `number` is the value of a
/// literal or the index of a name.
struct Formula {
  char sign;
  Count number = 0;
  std::vector<Formula> operands = {};
};

Formula read_formula(std::string_view text);

/// Parses decimal digits.
Count number_of(std::string_view digits);

/// The exact value of a formula. `values` holds the value of each name, at the name's index.
Count evaluate(const Formula& formula, const std::vector<Count>& values);

/// The formula in infix notation, with these labels for names: 2·V·d + L·(d − 1)².
std::string shown(const Formula& formula, const std::vector<std::string>& labels);

/// The value of `key` for each of the answer's symbols, at the index that the symbol's name has in formulas.
std::vector<std::string> labels_of(const Json& answer, const char* key);

/// The formula of a row, a field, a symbol or a whole answer, written with names or symbols.
std::string shown(const Json& answer, const Json& of, const char* key);

}  // namespace param_ledger::test
