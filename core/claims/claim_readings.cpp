#include "core/claims/claim_readings.hpp"

#include <algorithm>

#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The value of a number of bytes if its decimal prefix is meant as a binary one: 1 GB becomes 1 GiB.
Count in_binary(Count bytes, unsigned thousands) { return multiply(bytes, raised(1024, thousands)) / raised(1000, thousands); }

/// Adds up to two readings of a number: as cut off, and as rounded up by at most one step of the last digit and at most a twentieth.
/// Numbers of bytes get both readings. Other numbers get both with one or two digits, only the first with three, and neither with more.
void cut_or_up(const Quantity& claim, Count step, unsigned digits, std::vector<NumberReading>& out) {
  constexpr Count twentieth = 20;
  constexpr unsigned most_digits_up = 2, most_digits_cut = 3;
  if (digits > most_digits_cut && !claim.bytes) return;
  out.push_back({claim.value, add(claim.value, step - 1), digits, 0, true, "as cut off"});
  if (digits > most_digits_up && !claim.bytes) return;
  // The least value that may have been rounded up to the claim.
  const Count least = add(multiply(claim.value, twentieth), twentieth) / (twentieth + 1);
  out.push_back({std::max(claim.value < step ? 0 : claim.value - step + 1, least), claim.value, digits, 0, true, "as rounded up"});
}

}  // namespace

std::vector<NumberReading> readings_of(const Quantity& claim) {
  std::vector<NumberReading> out{{claim.low, claim.high, claim.digits, 0, false, ""}};
  if (claim.range) return out;
  if (!claim.exact()) {
    cut_or_up(claim, claim.ulp, claim.digits, out);
  } else if (const unsigned thousands = claim.zeros / 3; thousands > 0 && claim.digits > 3 * thousands) {
    // 405,000,000,000 may be a number of billions that was cut off or rounded up.
    cut_or_up(claim, raised(1000, thousands), claim.digits - 3 * thousands, out);
  }
  if (claim.zeros > 0 && claim.digits > claim.zeros) {
    const Count half = multiply(multiply(claim.ulp, 5), raised(10, claim.zeros - 1));
    out.push_back(
        {claim.value - std::min(half, claim.value), add(claim.value, half), claim.digits - claim.zeros, 0, false, "as a round number"});
  }
  if (claim.bytes && claim.decimal)
    out.push_back(
        {in_binary(claim.low, claim.thousands), in_binary(claim.high, claim.thousands), claim.digits, 1, false, "in powers of 1,024"});
  return out;
}

std::vector<SizeName> size_names(Count parameters) {
  struct Size {
    std::string_view word;
    Count worth;
  };
  static constexpr Size units[] = {
      {" thousand", 1000}, {" million", 1'000'000}, {" billion", 1'000'000'000}, {" trillion", 1'000'000'000'000}};
  std::vector<SizeName> out;
  const Size* unit = units;
  for (const Size& u : units)
    if (parameters >= u.worth) unit = &u;
  const Count worth = unit->worth;
  if (parameters < worth || parameters >= worth * 1000) return out;
  // Sizes in names usually have at most one digit after the decimal point, and none if they are 10 or more: "8B", not "8.03B".
  const Count last = parameters < 10 * worth ? worth / 10 : worth;
  for (Count place = last; place <= parameters; place *= 10)
    for (const Count up : {place / 2, Count{0}}) {
      const Count name = (parameters + up) / place * place, off = name < parameters ? parameters - name : name - parameters;
      // 41.3 may be called 40 and 7.6 may be called 7, but 46.7 is not called 50.
      const bool near = off <= (place > worth ? parameters / 30 : parameters / 10);
      const bool known = std::any_of(out.begin(), out.end(), [&](const SizeName& s) { return s.parameters == name; });
      if (!near || known) continue;
      const Count tenth = name * 10 / worth % 10;
      out.push_back({concat({digits(name / worth), tenth == 0 ? "" : ".", tenth == 0 ? "" : digits(tenth), unit->word}), name});
    }
  return out;
}

}  // namespace param_ledger
