#include "core/claims/claim_text.hpp"

#include <algorithm>
#include <optional>

#include "core/claims/claim_layout.hpp"
#include "core/claims/claim_words.hpp"
#include "core/claims/stated_numbers.hpp"
#include "core/support/attempt.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::size_t most_characters = 4000, most_claims = 40;

[[noreturn]] void refuse_units(std::string_view text, std::string_view why) {
  throw Error{ErrorCode::wrong_type, "claim", concat({"\"", clipped(text, 60), "\" ", why})};
}

/// Reads a percentage, in millionths of one per cent.
Quantity share_of(const StatedNumber& number) {
  Quantity out = read_quantity(concat({number.figures, "e6"}), "claim");
  if (out.exact()) out.high = add(out.high, 1);  // a percentage may have more decimals than millionths can hold
  return out;
}

Quantity quantity_of(const StatedNumber& number, const ClaimWords& words) {
  if (number.counts == Unit::percent || words.rate) return share_of(number);
  std::string text = words.text;
  static constexpr std::pair<std::string_view, std::string_view> large[] = {{"p", "e15"}, {"e", "e18"}, {"z", "e21"}};
  for (const auto& [unit, power] : large)
    if (number.unit == unit) text = concat({number.figures, power});
  Quantity out = read_quantity(text, "claim");
  if (number.from.empty()) return out;
  const Quantity from = read_quantity(number.from, "claim");
  if (from.value > out.value)
    refuse_units(concat({number.from, " – ", number.figures, number.unit}), "is a range that ends before it begins.");
  out.low = from.value;
  out.high = out.value;
  out.range = true;
  return out;
}

/// The number of tokens that a number stands for, with k read as `thousand`.
Count tokens_of(const StatedNumber& number, Count thousand) {
  const Quantity q = read_quantity(number.figures, "claim");
  const Count unit = number.unit == "k" ? thousand : number.unit == "m" ? multiply(thousand, thousand) : 1;
  return multiply(q.value, unit);
}

/// A clause without the punctuation and the words that link it to its neighbours.
std::string_view without_links(std::string_view clause) {
  const auto strip = [&] {
    while (!clause.empty() && holds(" \n|,;.)=", clause.substr(0, 1))) clause.remove_prefix(1);
  };
  strip();
  for (const std::string_view word : {"and ", "with ", "of which ", "while "})
    if (clause.starts_with(word)) clause.remove_prefix(word.size());
  strip();
  while (!clause.empty() && holds(" \n|,;(", clause.substr(clause.size() - 1))) clause.remove_suffix(1);
  return clause;
}

/// Reads the claim that each number in a text makes, together with the words of its clause.
class ClaimReader {
 public:
  explicit ClaimReader(std::string_view written)
      : laid_out_(without_tables(written)), plain_(plain_text(laid_out_)), numbers_(stated_numbers(plain_.text)) {}

  std::vector<Claim> read() {
    std::vector<Claim> out;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < numbers_.size() && out.size() < most_claims; ++i) {
      const std::size_t end = end_of_clause(begin, i);
      std::optional<Claim> claim = claim_at(i, begin, end);
      // Words before a number that counts something else may belong to the next number: "KV cache at 4,096 tokens: 2 GiB".
      const bool ends =
          claim || i + 1 == numbers_.size() || separator(plain(numbers_[i].end, numbers_[i + 1].begin)) != std::string_view::npos;
      if (claim) out.push_back(*std::move(claim));
      if (ends) begin = end;
    }
    return out;
  }

 private:
  [[nodiscard]] std::string_view plain(std::size_t begin, std::size_t end) const {
    return std::string_view(plain_.text).substr(begin, end - begin);
  }

  /// The position where the words that describe number `i` end.
  [[nodiscard]] std::size_t end_of_clause(std::size_t begin, std::size_t i) const {
    const StatedNumber& number = numbers_[i];
    std::size_t next = i + 1;
    // A number of sequences belongs to the clause: "598.50 MiB for 4 recurrent states".
    while (next < numbers_.size() && numbers_[next].kind == StatedNumber::batch) ++next;
    if (next == numbers_.size()) return plain_.text.size();
    return number.end + boundary(plain(begin, number.begin), plain(number.end, numbers_[next].begin));
  }

  /// The claim that number `i` makes in its clause; none if the number counts something else.
  [[nodiscard]] std::optional<Claim> claim_at(std::size_t i, std::size_t begin, std::size_t end) const {
    const StatedNumber& number = numbers_[i];
    ClaimWords words = claim_words(number, plain(begin, number.begin), plain(number.end, end));
    const bool share = words.rate && number.kind == StatedNumber::bare;
    if (number.kind != StatedNumber::count && !share) return std::nullopt;
    const std::size_t from = plain_.from[begin], to = plain_.from[end];
    const std::string_view clause = without_links(std::string_view(laid_out_).substr(from, to - from));
    if (number.counts == Unit::bytes && words.operations)
      refuse_units(clause, "names bytes and operations. Write operations as FLOPs: 70.27 TFLOPs.");
    if (number.counts == Unit::operations && words.memory)
      refuse_units(clause, "names operations and memory. Write memory as bytes: 13.5 GB.");
    Claim claim = words.claim;
    // The number type of a cache may be named anywhere in the text.
    const bool cached = number.counts == Unit::bytes && (claim.cache || claim.states || claim.per_token);
    if (cached && only_type(words.text).empty()) words.text += concat({" ", only_type(plain_.text)});
    if (share) claim.unit = Unit::percent;
    claim.number = quantity_of(number, words);
    if (claim.unit == Unit::parameters) claim.per_token = false;  // "37B activated per token" counts parameters, not parameters per token
    claim.number.text = std::string(clipped(clause, 120));
    if (claim.unit == Unit::operations || claim.per_token || claim.cache || claim.states) put_tokens(claim, number);
    return claim;
  }

  /// Adds the number of tokens, which is the one stated nearest to `number`, and the number of sequences in the batch.
  void put_tokens(Claim& claim, const StatedNumber& number) const {
    std::size_t nearest = plain_.text.size() + 1;
    for (const StatedNumber& other : numbers_) {
      const std::size_t off = other.begin > number.begin ? other.begin - number.begin : number.begin - other.begin;
      if (other.kind == StatedNumber::batch) claim.batch = std::max<Count>(1, read_quantity(other.figures, "claim").value);
      if (other.kind != StatedNumber::tokens || off >= nearest) continue;
      nearest = off;
      claim.tokens = tokens_of(other, 1024);
      claim.other_tokens = tokens_of(other, 1000);
    }
  }

  std::string laid_out_;
  PlainText plain_;
  std::vector<StatedNumber> numbers_;
};

/// Whether a claim is a plain number of parameters or bytes, which `read_quantity` can read on its own.
bool is_plain(const Claim& c) {
  return c.unit < Unit::operations && !c.per_token && !c.trainable && !c.training && !c.utilization && !c.cache && !c.states && !c.packed &&
         !c.prediction && c.tokens == 0 && c.experts == 0 && !c.number.range;
}

/// Quotes the whole text as the claim if it is one line with a single claim.
void quote_whole(std::vector<Claim>& claims, std::string_view written) {
  written = trimmed(written);
  if (claims.size() == 1 && !holds(written, "\n")) claims.front().number.text = std::string(clipped(written, 200));
}

}  // namespace

std::vector<Claim> read_claims(std::string_view written) {
  if (written.size() > most_characters)
    throw Error{ErrorCode::too_large, "claim", concat({"A claim may have at most ", grouped_digits(most_characters), " characters."})};
  std::vector<Claim> out;
  const std::optional<Error> refused = attempt([&] { out = ClaimReader(written).read(); });
  if (refused && refused->code != ErrorCode::overflow && refused->code != ErrorCode::wrong_type) throw *refused;
  if (!refused && (out.size() > 1 || (out.size() == 1 && !is_plain(out.front())))) {
    quote_whole(out, written);
    return out;
  }
  // If no claim was found, or only a plain number, tries to read the whole text as one number.
  const std::optional<Error> not_alone = attempt([&] {
    Quantity alone = read_quantity(written, "claim");
    if (!out.empty()) alone.subject = out.front().number.subject;
    const bool whole = !out.empty() && out.front().whole;
    out = {Claim{.number = alone, .unit = alone.bytes ? Unit::bytes : Unit::parameters, .whole = whole}};
  });
  if (not_alone) {
    if (refused) throw *refused;
    if (out.empty()) throw *not_alone;
    quote_whole(out, written);
  }
  return out;
}

}  // namespace param_ledger
