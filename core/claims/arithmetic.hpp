#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/count.hpp"

namespace param_ledger {

/// A signed exact fraction: the value of an expression.
struct Fraction {
  Count above = 0;
  Count below = 1;  ///< not 0, and coprime to `above`
  bool negative = false;

  [[nodiscard]] bool whole() const { return below == 1 && !negative; }
  friend bool operator==(const Fraction&, const Fraction&) = default;
};

/// Returns a number below, equal to or above 0 if `a` is less than, equal to or greater than `b`.
int compare(const Fraction& a, const Fraction& b);

/// The fraction as text: "−4,096/3".
std::string written(const Fraction& f);

/// A name in an expression, and its value.
struct Binding {
  std::string name;
  Fraction value;
};

/// An arithmetic expression as people write it: `4 * d_model^2`, `32,000 × 8,192`, `V·d + L·(mha + mlp)`, `int(2 * hidden / 3)`. Numbers
/// may have thousands separators. Names consist of letters, digits, `_` and `.`, and begin with a letter. `//`, `floor` and `int` round
/// down, `ceil` rounds up, `%` is the remainder.
class Arithmetic {
 public:
  /// Throws Error naming `field`: wrong_type if the text cannot be parsed, too_large if it is too long, too_deep if its brackets are nested
  /// too deeply. Throws Error{overflow} if a number in the text is too large.
  Arithmetic(std::string_view text, std::string_view field);

  /// Throws Error{wrong_type} for an unknown name, Error{out_of_range} for an operation that is undefined or not supported, such as a
  /// division by zero, and Error{overflow} if a number is too large. If a name is bound several times, the last binding counts.
  [[nodiscard]] Fraction value(const std::vector<Binding>& names) const;

  /// The expression with numbers in place of its names: `4,096 × 14,336`.
  [[nodiscard]] std::string substituted(const std::vector<Binding>& names) const;

  /// The values of the terms or factors of the outermost sum or product; a single value if it is neither.
  [[nodiscard]] std::vector<Fraction> terms(const std::vector<Binding>& names) const { return parts('+', names); }
  [[nodiscard]] std::vector<Fraction> factors(const std::vector<Binding>& names) const { return parts('*', names); }

 private:
  struct Node {
    char op;  ///< '0' a number, 'n' a name, '+', '-', '*', '/', '%', '^', 'f' for rounding down, 'c' for rounding up
    std::size_t a = 0, b = 0;
    Fraction number = {};
    std::string name = {};
  };

  [[nodiscard]] Fraction value_of(std::size_t node, const std::vector<Binding>& names) const;
  [[nodiscard]] std::string text_of(std::size_t node, const std::vector<Binding>& names, unsigned binds) const;
  [[nodiscard]] std::vector<Fraction> parts(char op, const std::vector<Binding>& names) const;

  [[noreturn]] void refuse(std::string_view what) const;
  std::size_t sum();
  std::size_t product();
  std::size_t power();
  std::size_t primary();
  std::size_t add(Node node);
  bool eat(std::string_view sign);
  void skip();
  std::size_t number();

  std::string field_;
  std::string_view rest_;
  unsigned depth_ = 0;
  std::vector<Node> nodes_;
  std::size_t root_ = 0;
};

}  // namespace param_ledger
