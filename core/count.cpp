#include "core/count.hpp"

#include <limits>

#include "core/error.hpp"

namespace param_ledger {

namespace {

constexpr Count largest = ~Count{0};

[[noreturn]] void overflow() {
  throw Error{ErrorCode::overflow, "", "The count exceeds 2^128 - 1; the dimensions of this model cannot be meant."};
}

std::string written(Count value, bool grouped) {
  char buffer[64];
  char* const end = buffer + sizeof buffer;
  char* first = end;
  int written = 0;
  do {
    if (grouped && written > 0 && written % 3 == 0) *--first = ',';
    *--first = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
    ++written;
  } while (value != 0);
  return {first, end};
}

}  // namespace

Count multiply(Count a, Count b) {
  // Two 64-bit operands always fit: the common case needs no division.
  constexpr Count small = std::numeric_limits<std::uint64_t>::max();
  if ((a > small || b > small) && b != 0 && a > largest / b) overflow();
  return a * b;
}

Count add(Count a, Count b) {
  if (a > largest - b) overflow();
  return a + b;
}

std::string digits(Count value) { return written(value, false); }
std::string grouped_digits(Count value) { return written(value, true); }

}  // namespace param_ledger
