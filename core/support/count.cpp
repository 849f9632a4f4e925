#include "core/support/count.hpp"

#include <limits>
#include <string_view>
#include <utility>

#include "core/support/error.hpp"

namespace param_ledger {

namespace {

constexpr Count largest = ~Count{0};

[[noreturn]] void overflow() { throw Error{ErrorCode::overflow, "", "The count exceeds 2^128 - 1. Check this model's dimensions."}; }

}  // namespace

Count multiply(Count a, Count b) {
  // The product of two 64-bit operands always fits, so the common case needs no division.
  constexpr Count small = std::numeric_limits<std::uint64_t>::max();
  if ((a > small || b > small) && b != 0 && a > largest / b) overflow();
  return a * b;
}

Count add(Count a, Count b) {
  if (a > largest - b) overflow();
  return a + b;
}

std::string_view write_digits(char (&room)[most_digits], Count value) {
  char* const end = room + most_digits;
  char* first = end;
  // 128-bit division is a slow library call in WebAssembly, so it is used only while the value exceeds 64 bits.
  constexpr Count small = ~std::uint64_t{0};
  for (; value > small; value /= 10) *--first = static_cast<char>('0' + static_cast<int>(value % 10));
  auto rest = static_cast<std::uint64_t>(value);
  do *--first = static_cast<char>('0' + rest % 10);
  while ((rest /= 10) != 0);
  return {first, static_cast<std::size_t>(end - first)};
}

Count common_divisor(Count a, Count b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

std::string digits(Count value) {
  char room[most_digits];
  return std::string(write_digits(room, value));
}

std::string signed_difference(Count from, Count to) {
  if (from == to) return "0";
  return from < to ? '+' + digits(to - from) : '-' + digits(from - to);
}

std::string grouped_digits(Count value) {
#ifdef PARAM_LEDGER_WRITES_TERMS
  return std::string(term_mark).append(digits(value));
#else
  return english_digits(value);
#endif
}

std::string english_digits(Count value) {
  std::string out = digits(value);
  for (std::size_t i = out.size(); i > 3; out.insert(i, ",")) i -= 3;
  return out;
}

}  // namespace param_ledger
