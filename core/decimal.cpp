#include "core/decimal.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "core/count.hpp"

namespace param_ledger {

namespace {

constexpr int most_exact = 19;  // powers of ten below 2^64

std::uint64_t power_of_ten(int exponent) {
  std::uint64_t out = 1;
  for (int i = 0; i < exponent; ++i) out *= 10;
  return out;
}

/// mantissa ÷ 10^places, rounded once.
double quotient(std::uint64_t mantissa, int places) {
  const std::uint64_t divisor = power_of_ten(places);
  int shift = 63;
  for (; mantissa >> 63U == 0; mantissa <<= 1U) ++shift;
  // At least 62 bits, the lowest of which stands for all that follow.
  const Count dividend = Count{mantissa} << 63U, bits = dividend / divisor;
  return std::ldexp(static_cast<double>(bits | (dividend % divisor != 0 ? 1U : 0U)), -shift);
}

double scaled(std::uint64_t mantissa, int exponent) {
  if (mantissa == 0) return 0;
  if (exponent >= 0 && exponent <= most_exact) return static_cast<double>(Count{mantissa} * power_of_ten(exponent));
  if (exponent < 0 && exponent >= -most_exact) return quotient(mantissa, -exponent);
  auto out = static_cast<double>(mantissa);
  for (; exponent > 0 && std::isfinite(out); --exponent) out *= 10;
  for (; exponent < 0 && out > 0; ++exponent) out /= 10;
  return out;
}

}  // namespace

double decimal(std::string_view number) {
  const bool negative = number.starts_with('-');
  if (negative) number.remove_prefix(1);
  if (number.starts_with('N')) return std::numeric_limits<double>::quiet_NaN();
  if (number.starts_with('I')) return negative ? -HUGE_VAL : HUGE_VAL;
  constexpr std::uint64_t full = 1'000'000'000'000'000'000;  // no room for another digit
  std::uint64_t mantissa = 0;
  int exponent = 0;
  bool fraction = false;
  for (std::size_t i = 0; i < number.size(); ++i) {
    const char c = number[i];
    if (c == '.') {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      const bool room = mantissa < full;
      if (room) mantissa = 10 * mantissa + static_cast<std::uint64_t>(c - '0');
      if (room == fraction) exponent += room ? -1 : 1;
    } else {  // e or E
      number.remove_prefix(number[i + 1] == '+' ? i + 2 : i + 1);
      int given = number.starts_with('-') ? -1000 : 1000;  // of one that no int holds
      std::from_chars(number.data(), number.data() + number.size(), given);
      exponent += given;
      break;
    }
  }
  const double out = scaled(mantissa, exponent);
  return negative ? -out : out;
}

}  // namespace param_ledger
