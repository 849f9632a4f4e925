#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/count.hpp"
#include "tests/support/support.hpp"

// Reads a formula in prefix notation, works out its value and writes it for a reader, sharing nothing with the code that
// wrote it. The notation is documented at PrefixWriter in core/expr/formula.hpp.
namespace param_ledger::test {

/// A tree: sign '=' for a literal and 'n' for a name, each with its number, else the sign of an operation.
struct Formula {
  char sign;
  Count number = 0;
  std::vector<Formula> operands = {};
};

Formula read_formula(std::string_view text);

/// The number of decimal digits.
Count number_of(std::string_view digits);

/// The value, exactly; `values` are those of the names.
Count evaluate(const Formula& formula, const std::vector<Count>& values);

/// The formula as a reader would write it, the names by these labels: 2·V·d + L·(d − 1)².
std::string shown(const Formula& formula, const std::vector<std::string>& labels);

/// What the symbols of an answer hold under that key, by the numbers of the names.
std::vector<std::string> labels_of(const Json& answer, const char* key);

/// The formula of a row, a field, a symbol or the whole of an answer, in names or symbols.
std::string shown(const Json& answer, const Json& of, const char* key);

}  // namespace param_ledger::test
