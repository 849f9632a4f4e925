#include "core/count.hpp"

#include <limits>
#include <string_view>

#include "core/error.hpp"

namespace param_ledger {

namespace {

constexpr Count largest = ~Count{0};

[[noreturn]] void overflow() {
  throw Error{ErrorCode::overflow, "", "The count exceeds 2^128 - 1; the dimensions of this model cannot be meant."};
}

/// Writes digits from the right, in 64-bit pieces: 128-bit division is a slow library call where there is no instruction for it.
class DigitWriter {
 public:
  explicit DigitWriter(bool grouped) : grouped_(grouped) {}

  /// The text, which lives as long as this.
  std::string_view write(Count value) {
    constexpr std::uint64_t piece = 1'000'000'000'000'000'000;
    while (value >= piece) {
      append(static_cast<std::uint64_t>(value % piece), 18);
      value /= piece;
    }
    append(static_cast<std::uint64_t>(value), 1);
    return {first_, static_cast<std::size_t>(buffer_ + sizeof buffer_ - first_)};
  }

 private:
  void append(std::uint64_t value, int least_digits) {
    for (int n = 0; n < least_digits || value != 0; ++n, value /= 10) {
      if (grouped_ && written_ > 0 && written_ % 3 == 0) *--first_ = ',';
      *--first_ = static_cast<char>('0' + static_cast<int>(value % 10));
      ++written_;
    }
  }

  bool grouped_;
  char buffer_[64];
  char* first_ = buffer_ + sizeof buffer_;
  int written_ = 0;
};

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

std::string digits(Count value) { return std::string(DigitWriter(false).write(value)); }
void append_digits(std::string& out, Count value) { out += DigitWriter(false).write(value); }
std::string signed_difference(Count from, Count to) {
  if (from == to) return "0";
  std::string out = from < to ? "+" : "-";
  append_digits(out, from < to ? to - from : from - to);
  return out;
}

std::string grouped_digits(Count value) { return std::string(DigitWriter(true).write(value)); }

}  // namespace param_ledger
