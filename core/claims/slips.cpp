#include "core/claims/slips.hpp"

#include <optional>

#include "core/support/text.hpp"

namespace param_ledger {

bool within(const Quantity& printed, Count value) { return printed.low <= value && value <= printed.high; }

bool cut_off(const Quantity& printed, Count value) {
  return !printed.exact() && printed.value <= value && value < add(printed.value, printed.ulp);
}

namespace {

/// The number of positions at which the digits differ; none if the numbers have different lengths.
std::optional<std::size_t> digits_apart(Count a, Count b) {
  const std::string left = digits(a), right = digits(b);
  if (left.size() != right.size()) return {};
  std::size_t out = 0;
  for (std::size_t i = 0; i < left.size(); ++i) out += left[i] != right[i] ? 1U : 0U;
  return out;
}

constexpr std::size_t most_digits_apart = 2;

std::optional<Slip> digit_slip(Count wrong, Count right) {
  const std::optional<std::size_t> apart = digits_apart(wrong, right);
  if (!apart || *apart > most_digits_apart) return {};
  return Slip{"digit", *apart == 1 ? "One digit differs." : "Two digits differ."};
}

/// Whether a factor is easily mistaken for another: both have the same number of digits, and differ in at most two digits or by at most a
/// twentieth.
bool is_mistaken_factor(Count factor, Count instead) {
  const std::optional<std::size_t> apart = digits_apart(instead, factor);
  const Count off = instead > factor ? instead - factor : factor - instead;
  return apart && (*apart <= most_digits_apart || off <= factor / 20);
}

/// Finds a product in which one factor is wrong.
std::optional<Slip> factor_slip(const std::vector<Fraction>& factors, Count wrong, Count right) {
  for (const Fraction& factor : factors) {
    if (!factor.whole() || factor.above < 2 || right % factor.above != 0) continue;
    const Count others = right / factor.above;
    if (others < 2 || wrong % others != 0) continue;
    const Count instead = wrong / others;
    if (is_mistaken_factor(factor.above, instead))
      return Slip{"factor", concat({"As if ", grouped_digits(factor.above), " were ", grouped_digits(instead), ": ", grouped_digits(others),
                                    " × ", grouped_digits(instead), " is ", grouped_digits(wrong), "."})};
  }
  return {};
}

/// Finds a sum in which one term is missing or added twice.
std::optional<Slip> term_slip(const std::vector<Fraction>& terms, const Quantity& printed, Count right) {
  if (terms.size() < 2) return {};
  for (const Fraction& term : terms) {
    if (!term.whole() || term.above == 0) continue;
    if (term.above <= right && within(printed, right - term.above))
      return Slip{"term", concat({"The term ", grouped_digits(term.above), " is missing."})};
    if (within(printed, add(right, term.above)))
      return Slip{"term", concat({"The term ", grouped_digits(term.above), " is counted twice."})};
  }
  return {};
}

/// Finds a number that is too large or too small by an integer factor.
std::optional<Slip> ratio_slip(const Quantity& printed, Count right) {
  constexpr Count most = 128;
  if (right == 0 || printed.value == 0) return {};
  for (Count n = 2; n <= most; ++n) {
    if (within(printed, multiply(right, n))) return Slip{"ratio", concat({"It is ", digits(n), " times too large."})};
    if (right % n == 0 && within(printed, right / n)) return Slip{"ratio", concat({"It is ", digits(n), " times too small."})};
  }
  return {};
}

}  // namespace

Slip slip_of(const Arithmetic& expression, const Quantity& printed, Count right, const std::vector<Binding>& names) {
  std::optional<Slip> slip;
  if (printed.exact()) {
    slip = digit_slip(printed.value, right);
    if (!slip) slip = factor_slip(expression.factors(names), printed.value, right);
  }
  // A number with few digits easily matches some sum by chance.
  constexpr unsigned least_digits = 3;
  if (!printed.exact() && printed.digits < least_digits) return slip.value_or(Slip{});
  if (!slip) slip = term_slip(expression.terms(names), printed, right);
  if (!slip) slip = ratio_slip(printed, right);
  return slip.value_or(Slip{});
}

std::string right_unit(const Quantity& printed, Count value) {
  static constexpr std::string_view letters[] = {"", "K", "M", "B", "T"};
  constexpr unsigned most = 4;  // index of "T", the last letter
  if (printed.bytes || printed.thousands > most) return "";
  for (unsigned thousands = 0; thousands <= most; ++thousands) {
    if (thousands == printed.thousands) continue;
    std::string text = concat({printed.figures, letters[thousands]});
    if (within(read_quantity(text, ""), value)) return text;
  }
  return "";
}

}  // namespace param_ledger
