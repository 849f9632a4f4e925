#include "core/claims/slips.hpp"

#include <optional>

#include "core/support/text.hpp"

namespace param_ledger {

bool within(const Quantity& printed, Count value) { return printed.low <= value && value <= printed.high; }

namespace {

/// Digits that differ, where both numbers have as many; none where not.
std::optional<std::size_t> digits_apart(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return {};
  std::size_t out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out += a[i] != b[i] ? 1U : 0U;
  return out;
}

}  // namespace

Slip slip_of(const Arithmetic& expression, const Quantity& printed, Count right, const std::vector<Binding>& names) {
  const Count wrong = printed.value;
  const auto both = [](Count bad, std::string_view between, Count good) {
    return concat({grouped_digits(bad), between, grouped_digits(good)});
  };
  if (const auto apart = digits_apart(digits(wrong), digits(right)); apart && *apart <= 2 && printed.exact())
    return {"digit", *apart == 1 ? "One digit differs." : "Two digits differ."};
  for (const Fraction& factor : expression.factors(names)) {
    if (!factor.whole() || factor.above < 2 || right % factor.above != 0 || !printed.exact()) continue;
    const Count others = right / factor.above;
    if (others < 2 || wrong % others != 0) continue;
    const Count instead = wrong / others;
    // Near enough to be a slip of it: as long, and a few hundredths away or a digit or two.
    const Count off = instead > factor.above ? instead - factor.above : factor.above - instead;
    const auto apart = digits_apart(digits(instead), digits(factor.above));
    if (!apart || (*apart > 2 && off > factor.above / 20)) continue;
    return {"factor", concat({"As if ", both(factor.above, " were ", instead), ": ", grouped_digits(others), " × ", grouped_digits(instead),
                              " is ", grouped_digits(wrong), "."})};
  }
  const std::vector<Fraction> terms = expression.terms(names);
  for (const Fraction& term : terms) {
    if (terms.size() < 2 || !term.whole() || term.above == 0) continue;
    if (term.above <= right && within(printed, right - term.above))
      return {"term", concat({"The term ", grouped_digits(term.above), " is missing."})};
    if (within(printed, add(right, term.above))) return {"term", concat({"The term ", grouped_digits(term.above), " is counted twice."})};
  }
  constexpr Count most = 128;
  if (right != 0 && wrong != 0)
    for (Count n = 2; n <= most; ++n) {
      if (within(printed, multiply(right, n))) return {"ratio", concat({"It is ", digits(n), " times too large."})};
      if (right % n == 0 && within(printed, right / n)) return {"ratio", concat({"It is ", digits(n), " times too small."})};
    }
  return {};
}

std::string right_unit(const Quantity& printed, Count value) {
  static constexpr std::string_view letters[] = {"", "K", "M", "B", "T"};
  constexpr unsigned most = 4;
  if (printed.bytes || printed.thousands > most) return "";
  for (unsigned thousands = 0; thousands <= most; ++thousands) {
    if (thousands == printed.thousands) continue;
    std::string text = concat({printed.figures, letters[thousands]});
    if (within(read_quantity(text, ""), value)) return text;
  }
  return "";
}

}  // namespace param_ledger
