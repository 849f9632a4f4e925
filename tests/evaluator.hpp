#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/count.hpp"

// Reads a written formula and works out its value, sharing nothing with the code that wrote it.
namespace param_ledger::test {

/// The number of decimal digits, groups or not.
inline Count number_of(std::string_view digits) {
  Count value = 0;
  for (const char c : digits)
    if (c != ',') value = 10 * value + static_cast<Count>(c - '0');
  return value;
}

/// Names and their values, longest first: a name may begin with another, and hold spaces and brackets.
struct Longer {
  bool operator()(const std::string& a, const std::string& b) const { return a.size() != b.size() ? a.size() > b.size() : a < b; }
};
using Values = std::map<std::string, Count, Longer>;

class Evaluator {
 public:
  Evaluator(std::string_view text, const Values& values) : text_(text), rest_(text), values_(values) {}

  Count value() {
    const Count value = sum(false);
    if (!rest_.empty()) fail("ends too late");
    return value;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error(std::string(text_) + ": " + what + " before '" + std::string(rest_) + "'");
  }

  bool take(std::string_view token) {
    if (rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool take_sign(std::string_view sign) { return take(std::string(" ").append(sign) + " ") || take(sign); }

  Count sum(bool rounds, bool up = false) {
    Count value = product(rounds, up);
    for (;;) {
      if (take_sign("+")) {
        value += product(rounds, up);
      } else if (take_sign("−")) {
        const Count less = product(rounds, up);
        if (less > value) fail("negative");
        value -= less;
      } else {
        return value;
      }
    }
  }

  Count product(bool rounds, bool up) {
    Count value = factor();
    for (;;) {
      if (take_sign("×") || take("·")) {
        if (__builtin_mul_overflow(value, factor(), &value)) fail("overflow");
      } else if (take_sign("÷")) {
        const Count divisor = factor();
        if (divisor == 0) fail("division by zero");
        if (!rounds && value % divisor != 0) fail("a remainder");
        value = (up ? value + divisor - 1 : value) / divisor;
      } else {
        return value;
      }
    }
  }

  Count factor() {
    const Count base = atom();
    Count exponent = 0, value = 1;
    if (!take_superscript(exponent)) return base;
    while (take_superscript(exponent)) {
    }
    for (Count i = 0; i < exponent; ++i)
      if (__builtin_mul_overflow(value, base, &value)) fail("overflow");
    return value;
  }

  bool take_superscript(Count& exponent) {
    static constexpr const char* figures[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    for (unsigned figure = 0; figure < 10; ++figure) {
      if (!take(figures[figure])) continue;
      exponent = 10 * exponent + figure;
      return true;
    }
    return false;
  }

  Count closed(Count value, std::string_view bracket) {
    if (!take(bracket)) fail("a bracket is missing");
    return value;
  }

  Count atom() {
    if (take("(")) return closed(sum(false), ")");
    if (take("⌊")) return closed(sum(true), "⌋");
    if (take("⌈")) return closed(sum(true, true), "⌉");
    if (const std::size_t length = std::min(rest_.find_first_not_of("0123456789,"), rest_.size()); length > 0) {
      const Count value = number_of(rest_.substr(0, length));
      rest_.remove_prefix(length);
      return value;
    }
    for (const auto& [name, value] : values_)
      if (take(name)) return value;
    fail("an unknown name");
  }

  std::string_view text_;
  std::string_view rest_;
  const Values& values_;
};

inline Count evaluate(std::string_view text, const Values& values = {}) { return Evaluator(text, values).value(); }

}  // namespace param_ledger::test
