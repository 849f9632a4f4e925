#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/count.hpp"
#include "tests/support/support.hpp"

// Reads a formula in prefix notation, evaluates it and writes it for a reader. Shares no code with the formula's writer. The notation is
// documented at PrefixWriter in core/expr/formula.hpp.
namespace param_ledger::test {

/// A tree: sign '=' for a literal and 'n' for a name, each with its number; otherwise the sign of an operation.
struct Formula {
  char sign;
  Count number = 0;
  std::vector<Formula> operands = {};
};

Formula read_formula(std::string_view text);

/// The number of decimal digits.
Count number_of(std::string_view digits);

/// The exact value; `values` are those of the names.
Count evaluate(const Formula& formula, const std::vector<Count>& values);

/// The formula as a reader would write it, with these labels for names: 2·V·d + L·(d − 1)².
std::string shown(const Formula& formula, const std::vector<std::string>& labels);

/// The values of the answer's symbols under that key, by the numbers of names.
std::vector<std::string> labels_of(const Json& answer, const char* key);

/// The formula of a row, a field, a symbol or a whole answer, in names or symbols.
std::string shown(const Json& answer, const Json& of, const char* key);

}  // namespace param_ledger::test
