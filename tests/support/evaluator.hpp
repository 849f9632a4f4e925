#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/count.hpp"
#include "tests/support/support.hpp"

// Reads a formula in prefix notation, evaluates it, and writes it for people. Shares no code with the formula's writer. The notation is
// documented at PrefixWriter in core/expr/formula.hpp.
namespace param_ledger::test {

/// A tree. The sign is '=' for a literal and 'n' for a name, each with its number; otherwise it is that of an operation.
struct Formula {
  char sign;
  Count number = 0;
  std::vector<Formula> operands = {};
};

Formula read_formula(std::string_view text);

/// Parses decimal digits.
Count number_of(std::string_view digits);

/// The exact value of a formula, with the names' values in the order of their numbers.
Count evaluate(const Formula& formula, const std::vector<Count>& values);

/// The formula as people write it, with these labels for names: 2·V·d + L·(d − 1)².
std::string shown(const Formula& formula, const std::vector<std::string>& labels);

/// The values of one key in all of the answer's symbols, in the order of the names' numbers.
std::vector<std::string> labels_of(const Json& answer, const char* key);

/// The formula of a row, a field, a symbol or a whole answer, written with names or symbols.
std::string shown(const Json& answer, const Json& of, const char* key);

}  // namespace param_ledger::test
