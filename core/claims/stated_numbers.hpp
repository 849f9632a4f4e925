#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/claims/unit.hpp"
#include "core/support/count.hpp"

namespace param_ledger {

/// A number in a text, with its unit and what it may count according to the words next to it.
struct StatedNumber {
  /// What the number may count.
  enum Kind : std::uint8_t {
    count,   ///< parameters, bytes, operations or a share
    bare,    ///< a small number without a unit; only the words around it can tell what it counts
    tokens,  ///< a number of tokens that may be the length of a context
    batch,   ///< the sequences of a batch
    bits,    ///< the width of a number type: "4-bit"
    other    ///< something else: "61 layers", "15T tokens", "3d"
  };
  std::size_t begin, end;  ///< position in the text, including the unit
  std::string figures;     ///< the number itself, including an exponent
  std::string unit;        ///< the unit in lower case, such as "b" or "gb"; empty if there is none
  Unit counts = Unit::parameters;
  Kind kind = bare;
  Count experts = 0;      ///< the stated number of experts, such as the 8 in "8x7B"; 0: not given
  std::string from = {};  ///< the lower end of a range, with its unit
};

/// All numbers of a text in lower-case ASCII. A name with digits in it ("Qwen2.5-72B", "V3") does not count as a number.
std::vector<StatedNumber> stated_numbers(std::string_view text);

/// A word for operations and the unit that it contains: "b" for "gflops", empty for "flops".
struct OperationsWord {
  std::string_view word, unit;
};
/// The entry for a word; null if it does not stand for operations.
const OperationsWord* operations_word(std::string_view word);

}  // namespace param_ledger
