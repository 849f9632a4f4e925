#include "core/support/decimal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/support/count.hpp"
#include "core/support/parse.hpp"

namespace param_ledger {

namespace {

std::uint64_t power_of_ten(int exponent) {
  std::uint64_t out = 1;
  for (int i = 0; i < exponent; ++i) out *= 10;
  return out;
}

/// mantissa · 10^given. Rounds once if |given| is at most 19. Otherwise intermediate results are also cut to 64 bits.
double scaled(std::uint64_t mantissa, std::int64_t given) {
  constexpr int most = 19;                // 10^19 is the largest power of ten below 2^64
  constexpr std::int64_t endless = 1000;  // beyond ±1000, a double overflows or underflows to 0, whatever the mantissa
  if (mantissa == 0) return 0;
  int exponent = static_cast<int>(std::clamp(given, -endless, endless));
  Count bits = mantissa;
  int shift = 0;
  for (int step = 0; exponent != 0; exponent -= step) {
    // Normalises to 64 bits. The lowest bit is sticky: it is set if any dropped bit was set.
    for (; bits >> 64U != 0; bits = (bits >> 1U) | (bits & 1U)) ++shift;
    for (; bits >> 63U == 0; bits <<= 1U) --shift;
    step = std::clamp(exponent, -most, most);
    if (step > 0) {
      bits *= power_of_ten(step);
    } else {
      const Count dividend = bits << 64U;
      const std::uint64_t divisor = power_of_ten(-step);
      bits = dividend / divisor | (dividend % divisor != 0 ? 1U : 0U);
      shift -= 64;
    }
  }
  return std::ldexp(static_cast<double>(bits), shift);
}

}  // namespace

double decimal(std::string_view number) {
  const bool negative = number.starts_with('-');
  if (negative) number.remove_prefix(1);
  if (number.starts_with('N')) return std::numeric_limits<double>::quiet_NaN();
  if (number.starts_with('I')) return negative ? -HUGE_VAL : HUGE_VAL;
  constexpr std::uint64_t full = 1'000'000'000'000'000'000;  // from here on, another digit might exceed 64 bits
  std::uint64_t mantissa = 0;
  std::int64_t exponent = 0;
  bool fraction = false;
  for (std::size_t i = 0; i < number.size(); ++i) {
    const char c = number[i];
    if (c == '.') {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      const bool room = mantissa < full;
      if (room) mantissa = 10 * mantissa + static_cast<std::uint64_t>(c - '0');
      if (room == fraction) exponent += room ? -1 : 1;
    } else {  // the character is the 'e' or 'E' of an exponent
      number.remove_prefix(i + 1);
      const bool below = number.starts_with('-');
      if (below || number.starts_with('+')) number.remove_prefix(1);
      // No text has 2^62 digits, so adding the two exponents cannot overflow.
      constexpr std::int64_t largest = std::int64_t{1} << 62;
      const std::int64_t given = std::min(parse_integer<std::int64_t>(number).value_or(largest), largest);
      exponent += below ? -given : given;
      break;
    }
  }
  const double out = scaled(mantissa, exponent);
  return negative ? -out : out;
}

}  // namespace param_ledger
