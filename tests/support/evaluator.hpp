#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/count.hpp"
#include "tests/support/support.hpp"

// Parses formulas in prefix notation, evaluates them, and writes them in infix notation, without using the core's code for formulas.
// PrefixWriter in core/expr/formula.hpp documents the notation.
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

/// The formula in infix notation: 2·V·d + L·(d − 1)^2. `labels` holds the name or symbol to write for each index.
std::string shown(const Formula& formula, const std::vector<std::string>& labels);

/// The member `key` of each of the answer's symbols, in the order in which formulas index them.
std::vector<std::string> labels_of(const Json& answer, const char* key);

/// The formula of a row, a field, a symbol or the whole answer (`of`) in infix notation. `key` is "name" or "symbol".
std::string shown(const Json& answer, const Json& of, const char* key);

}  // namespace param_ledger::test
