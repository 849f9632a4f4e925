#include "core/claims/claim.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/claims/claim_text.hpp"
#include "core/claims/conventions.hpp"
#include "core/claims/known_claims.hpp"
#include "core/claims/other_counts.hpp"
#include "core/claims/remainders.hpp"
#include "core/claims/use_claims.hpp"
#include "core/json/json_text.hpp"
#include "core/json/json_writer.hpp"
#include "core/model/answer.hpp"
#include "core/model/totals.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

Count apart(Count a, Count b) { return a < b ? b - a : a - b; }

/// The equation that proves an explanation: "13,476,831,232 bytes = 2 bytes × 6,738,415,616 = all parameters".
std::string proof(const Quantity& claim, const Explanation& e) {
  if (!e.proof.empty()) return e.proof;
  if (!claim.bytes) return sum_text(e);
  std::string out = concat({grouped_digits(e.value), " bytes = "});
  if (!e.stored.empty()) return out + e.stored;
  const std::string each = e.bits == 4 ? "½ byte" : concat({digits(e.bits / 8), e.bits == 8 ? " byte" : " bytes"});
  if (e.reading.starts_with(by_name)) return concat({out, each, " × ", std::string_view(e.reading).substr(by_name.size())});
  return concat({out, each, " × ", sum_text(e)});
}

std::string verdict_text(const Quantity& claim, const Conventions::Found& found, const KnownClaim* known) {
  switch (found.verdict) {
    case Verdict::exact: return proof(claim, found.agreeing.front());
    case Verdict::agrees: {
      const Explanation& best = found.agreeing.front();
      return concat({claim.text, best.reading.empty() ? "" : concat({", read ", best.reading, ","}), " agrees with ", proof(claim, best)});
    }
    default: break;
  }
  const bool close = found.verdict == Verdict::nearest;
  std::string out = concat({close || known != nullptr ? "No convention gives " : "No convention explains ", claim.text, "."});
  if (known != nullptr) return concat({out, " ", known->history});
  if (!found.nearest) return out;
  const Explanation& near = *found.nearest;
  return concat({out, " The nearest is ", proof(claim, near), close ? ": " : "; ", near.above ? "−" : "+", grouped_digits(near.distance),
                 near.distance == 1 ? " remains." : " remain."});
}

std::string_view spelling(Taken::Kind kind) {
  static constexpr std::string_view names[] = {"total", "configuration", "rows", "packing", "adapter", "head"};
  return names[static_cast<std::size_t>(kind)];
}

void write_rows(JsonWriter& json, const Model& model, const Explanation& e) {
  json.key("rows").open_array();
  constexpr std::size_t most_rows = 200;
  std::vector<RowShare> rows = e.rows.empty() ? rows_of(model, e.scope, e.switches) : e.rows;
  if (rows.size() > most_rows) rows.resize(most_rows);
  for (const RowShare& row : rows) {
    json.open_object();
    json.member("name", row.name);
    json.member("counted", digits(row.counted));
    json.member("usual", digits(row.usual));
    json.close_object();
  }
  json.close_array();
}

void write_explanation(JsonWriter& json, const Explanation& e, Json root, const Model& model, const Quantity& claim) {
  json.open_object();
  json.member("sentence", proof(claim, e));
  json.member("sum", digits(e.sum));
  if (claim.bytes) json.member("bytes", digits(e.value));
  if (!e.stored.empty()) json.member("stored", e.stored);
  json.member("difference", concat({e.distance != 0 && e.above ? "-" : "", digits(e.distance)}));
  json.raw_member("cost", digits(e.cost));
  if (!e.reading.empty()) json.member("reading", e.reading);
  json.key("switches").open_array();
  for (const Taken& t : e.taken) {
    json.open_object();
    json.member("id", t.id);
    json.member("label", t.label);
    json.member("kind", spelling(t.kind));
    json.raw_member("added", t.added ? "true" : "false");
    json.member("change", digits(t.change));
    json.close_object();
  }
  json.close_array();
  if (e.edits.empty()) {
    write_rows(json, model, e);
  } else {
    json.key("changed").open_object();
    for (const Edit& edit : e.edits) json.text_key(edit.path).raw(edit.json);
    json.close_object();
    const Document document(edited(root, e.edits));
    write_rows(json, Model(document.root()), e);
  }
  json.close_object();
}

/// A number of millionths as a decimal: 519,600 is "0.5196".
std::string in_millionths(Count value) {
  constexpr Count million = 1'000'000;
  std::string rest = digits(million + value % million).substr(1);
  rest.erase(rest.find_last_not_of('0') + 1);
  return concat({digits(value / million), rest.empty() ? "" : ".", rest});
}

void write_claim(JsonWriter& json, const Claim& c, const ByteWays& ways) {
  const Quantity& claim = c.number;
  const auto bound = [&](Count value) { return c.unit == Unit::percent ? in_millionths(value) : digits(value); };
  json.key("claim").open_object();
  json.member("text", claim.text);
  json.member("unit", spelling(c.unit));
  json.member("low", bound(claim.low));
  json.member("high", bound(claim.high));
  json.raw_member("digits", digits(claim.digits));
  if (c.per_token) json.raw_member("per_token", "true");
  if (c.tokens > 0) json.member("tokens", digits(c.tokens));
  if (c.experts > 0) json.member("experts", digits(c.experts));
  if (!claim.format.empty()) {
    json.member("dtype", claim.format);
    json.member("dtype_from", "claim");
  } else if (!ways.widths.empty()) {
    json.member("dtype", ways.widths.front().name);
    json.member("dtype_from", ways.type_from);
  }
  json.close_object();
}

void write_offered(JsonWriter& json, const Conventions& conventions) {
  json.key("offered").open_array();
  for (const Conventions::Offered& o : conventions.offered()) {
    json.open_object();
    json.member("id", o.id);
    json.member("label", o.label);
    json.member("kind", spelling(o.kind));
    json.raw_member("cost", digits(o.cost));
    json.close_object();
  }
  json.close_array();
}

/// A sentence about two stated numbers that count the same thing but contradict each other; empty if there are none.
std::string contradiction(const std::vector<Claim>& claims) {
  for (std::size_t i = 0; i < claims.size(); ++i)
    for (std::size_t k = i + 1; k < claims.size(); ++k) {
      const Claim &a = claims[i], &b = claims[k];
      const bool same = a.unit == b.unit && a.whole && b.whole && a.number.subject == b.number.subject && a.trainable == b.trainable &&
                        a.per_token == b.per_token && a.number.bits == b.number.bits && a.number.format == b.number.format;
      if (same && (a.number.high < b.number.low || b.number.high < a.number.low))
        return concat({"\"", a.number.text, "\" and \"", b.number.text, "\" contradict each other."});
    }
  return {};
}

/// Judges the numbers that a text states about one model.
class Judge {
 public:
  explicit Judge(Json root) : root_(root), model_(root), conventions_(root) {}

  std::string answer(const std::vector<Claim>& claims) {
    open_answer(json_, model_.choice);
    json_.member("parameters", digits(conventions_.sum()));
    json_.key("claims").open_array();
    for (const Claim& claim : claims) judge(claim);
    json_.close_array();
    if (const std::string said = contradiction(claims); !said.empty()) json_.member("contradiction", said);
    write_offered(json_, conventions_);
    json_.member("ranking", ranking());
    json_.close_object();
    return json_.take();
  }

 private:
  /// The judgement of one stated number, with the sentence that reports it.
  struct Judged {
    Conventions::Found found;
    ByteWays ways;
    const KnownClaim* known = nullptr;
    std::optional<Remainder> remainder;
    std::string sentence;
  };

  void judge(const Claim& c) {
    const Quantity& claim = c.number;
    const bool cached = c.unit == Unit::bytes && (c.per_token || c.cache || c.states);
    const Judged judged = c.unit >= Unit::operations || cached || c.experts > 0 ? of_use(c) : of_sum(c);
    const Conventions::Found& found = judged.found;
    json_.open_object();
    write_claim(json_, c, judged.ways);
    json_.member("verdict", spelling(found.verdict));
    json_.member("sentence", judged.sentence);
    if (judged.known != nullptr) {
      json_.key("known").open_object();
      json_.member("model", judged.known->model);
      json_.member("history", judged.known->history);
      json_.member("source", judged.known->source);
      json_.close_object();
    }
    json_.key("agreeing").open_array();
    for (const Explanation& e : found.agreeing) write_explanation(json_, e, root_, model_, claim);
    json_.close_array();
    if (found.nearest) {
      json_.key("nearest");
      write_explanation(json_, *found.nearest, root_, model_, claim);
    }
    if (judged.remainder) {
      json_.key("remainder").open_object();
      json_.member("times", digits(judged.remainder->times));
      json_.member("each", digits(judged.remainder->each));
      json_.member("what", judged.remainder->what);
      json_.close_object();
    }
    json_.close_object();
  }

  /// Judges a number of parameters or bytes.
  Judged of_sum(const Claim& c) {
    const Quantity& claim = c.number;
    if ((claim.subject & subject::active) != 0) require_active(model_.configuration, model_.builder.rows());
    Judged out{.found = {}, .ways = claim.bytes ? ways_of_storing(model_, root_, claim) : ByteWays{}};
    out.found = conventions_.explain(claim, out.ways);
    if (c.trainable) {
      // A stated number of trainable parameters may be the total parameter count. If all its digits are given, it may also be a named
      // total, such as that of a draft model without its copy of the embedding table.
      const auto meant = [&](const Explanation& e) {
        return e.taken.empty() || (is_full(claim) && e.reading.empty() && e.taken.size() == 1 && e.taken.front().kind == Taken::total);
      };
      std::vector<Explanation>& all = out.found.agreeing;
      all.erase(std::remove_if(all.begin(), all.end(), [&](const Explanation& e) { return !meant(e); }), all.end());
      if (all.empty()) out.found.verdict = Verdict::unexplained;
    }
    if (!claim.bytes && claim.subject == 0) add_other_counts(c, out.found);
    if (out.found.agreeing.empty()) out.known = known_claim(conventions_.sum(), claim);
    out.sentence = verdict_text(claim, out.found, out.known);
    const bool unexplained = out.found.agreeing.empty() && out.known == nullptr;
    if (!unexplained || !claim.exact() || claim.bytes || !out.found.nearest) return out;
    Explanation& near = *out.found.nearest;
    if (!near.taken.empty()) {  // prefer the difference from the total parameter count, if that difference can be factored
      const Explanation plain = of_model(claim);
      constexpr Count ten_thousandth = 10'000;
      if (plain.distance < claim.value / ten_thousandth) out.remainder = factored(model_, plain.distance, !plain.above);
      if (out.remainder) {
        near = plain;
        out.sentence = verdict_text(claim, out.found, nullptr);
      }
    }
    if (!out.remainder) out.remainder = factored(model_, near.distance, !near.above);
    if (out.remainder)
      out.sentence += concat({" ", grouped_digits(near.distance), " = ", grouped_digits(out.remainder->times), " × ",
                              grouped_digits(out.remainder->each), ", as ", out.remainder->what, "."});
    return out;
  }

  /// The model's total parameter count as an explanation of the stated number.
  [[nodiscard]] Explanation of_model(const Quantity& claim) const {
    const Count all = conventions_.sum();
    Explanation out{.sum = all, .value = all};
    out.distance = apart(all, claim.value);
    out.above = all > claim.value;
    return out;
  }

  /// Whether all digits of an integer are given and it does not look rounded: it has fewer than three trailing zeros.
  static bool is_full(const Quantity& claim) { return claim.exact() && claim.zeros < 3; }

  /// Judges a number of operations, the bytes of a cache or of recurrent states, a percentage, or a model size such as "8x7B".
  Judged of_use(const Claim& c) {
    Judged out;
    UseFound use;
    if (c.experts > 0)
      use = experts_claim(model_, c);
    else if (c.unit == Unit::operations)
      use = operations_claim(root_, c);
    else if (c.unit == Unit::percent && c.utilization)
      use.missing = "A utilization needs tokens per second, the number of devices and their peak FLOP/s. See operations.";
    else if (c.unit == Unit::percent)
      use = share_claim(bases(), adapters(), c, trained_);
    else if (c.states && !(c.cache && c.tokens > 0))
      use = states_claim(root_, c);
    else
      use = cache_claim(root_, c);
    if (use.agreeing.empty() && !c.states && c.other_tokens != c.tokens) {  // 128k tokens are read as 131,072 first, then as 128,000
      Claim other = c;
      other.tokens = std::exchange(other.other_tokens, c.tokens);
      UseFound found = c.unit == Unit::operations ? operations_claim(root_, other) : cache_claim(root_, other);
      if (!found.agreeing.empty()) use = std::move(found);
    }
    out.found = {use.agreeing.empty() ? Verdict::unexplained : Verdict::agrees, std::move(use.agreeing), std::move(use.nearest)};
    if (out.found.agreeing.empty() && !use.missing.empty())
      out.sentence = concat({"\"", clipped(c.number.text, 60), "\" is not judged. ", use.missing});
    else
      out.sentence = verdict_text(c.number, out.found, nullptr);
    return out;
  }

  /// Adds explanations by counts that are not among the model's totals: counts that loaders report, counts of quantized files, and counts
  /// with adapters or small heads.
  void add_other_counts(const Claim& c, Conventions::Found& found) {
    const Quantity& claim = c.number;
    std::vector<Explanation> all;
    const auto consider = [&](const OtherCount& other) {
      const bool exact = is_full(claim);
      const unsigned least = c.packed || c.trainable ? 2 : other.least_digits;
      if (other.trainable != c.trainable && !(other.trainable && exact)) return;
      if (!exact && (least == 0 || claim.digits < least)) return;
      if (other.high < claim.low || claim.high < other.sum || (exact && other.high != other.sum)) return;
      Explanation e{.taken = other.taken, .sum = other.sum, .value = other.sum, .cost = c.packed ? 0 : other.cost};
      e.distance = apart(other.sum, claim.value);
      e.above = other.sum > claim.value;
      e.proof = other.proof;
      e.rows = other.rows;
      all.push_back(std::move(e));
    };
    for (const OtherCount& other : packed()) consider(other);
    if (c.trainable || is_full(claim)) {
      for (const OtherCount& other : small_heads(model_)) consider(other);
      for (const OtherCount& other : adapted(c)) consider(other);
    }
    if (all.empty()) return;
    std::stable_sort(all.begin(), all.end(), [](const Explanation& a, const Explanation& b) { return a.cost < b.cost; });
    if (c.trainable) trained_ = {all.front().sum, all.front().taken.back().label};
    const bool exact = claim.exact();
    for (Explanation& e : all) {
      const auto dearer = std::find_if(found.agreeing.begin(), found.agreeing.end(), [&](const Explanation& o) { return o.cost > e.cost; });
      found.agreeing.insert(dearer, std::move(e));
    }
    found.verdict = exact && found.agreeing.front().reading.empty() ? Verdict::exact : Verdict::agrees;
  }

  const std::vector<OtherCount>& packed() {
    if (!packed_) packed_ = packed_counts(model_, root_);
    return *packed_;
  }

  /// Counts of the base model that a number with adapters may include instead of the total parameter count: counts with packed 4-bit
  /// weights, if they are exact, and the count of the published files.
  const std::vector<OtherCount>& other_bases() {
    if (other_bases_) return *other_bases_;
    other_bases_.emplace();
    for (const OtherCount& base : packed())
      if (!base.trainable && base.high == base.sum) other_bases_->push_back(base);
    if (const Count files = published_count(model_, root_); files > conventions_.sum()) {
      OtherCount base;
      base.taken.push_back({"published", "rest of the published files", Taken::total, true, files - conventions_.sum()});
      base.sum = base.high = files;
      other_bases_->push_back(std::move(base));
    }
    return *other_bases_;
  }

  std::vector<Count> bases() {
    std::vector<Count> out{conventions_.sum()};
    for (const OtherCount& base : other_bases()) out.push_back(base.sum);
    return out;
  }

  const std::vector<UnitAdapter>& adapters() {
    if (!adapters_) adapters_ = unit_adapters(model_);
    return *adapters_;
  }

  /// Candidate counts with LoRA adapters: the adapter alone, the model plus the adapter, and each of `other_bases` plus the adapter. If the
  /// stated number is rounded, only common ranks and target modules are tried.
  std::vector<OtherCount> adapted(const Claim& c) {
    const Count all = conventions_.sum();
    std::vector<OtherCount> out;
    for (const UnitAdapter& adapter : adapters())
      for (std::size_t i = 0; i < std::size(adapter_ranks); ++i) {
        const Count own = multiply(adapter.each, adapter_ranks[i]);
        const bool usual = adapter.usual == 0 && i < usual_ranks;
        if (!c.number.exact() && !usual) continue;
        // Several adapters may train the stated number of trainable parameters. Only the adapter that explained that number is tried for
        // the other numbers in the text.
        if (!c.trainable && own == trained_.count && label_of(adapter, i) != trained_.label) continue;
        const Taken taken{"adapter", label_of(adapter, i), Taken::adapter, true, own};
        OtherCount alone{.taken = {{"base", "the model itself", Taken::total, false, all}, taken},
                         .proof = concat({grouped_digits(own), " = ", taken.label}),
                         .sum = own,
                         .high = own,
                         .cost = usual ? 0U : 1U,
                         .least_digits = 2,
                         .trainable = true};
        out.push_back(std::move(alone));
        OtherCount with{.taken = {taken}, .sum = add(all, own), .high = add(all, own), .cost = usual ? 1U : 4U, .least_digits = 0};
        out.push_back(std::move(with));
        for (const OtherCount& base : other_bases()) {
          OtherCount both = base;
          both.taken.push_back(taken);
          both.sum = both.high = add(base.sum, own);
          both.cost = usual ? 2 : 4;
          both.least_digits = 0;
          out.push_back(std::move(both));
        }
      }
    return out;
  }

  Json root_;
  Model model_;
  Conventions conventions_;
  std::optional<std::vector<OtherCount>> packed_;
  std::optional<std::vector<UnitAdapter>> adapters_;
  std::optional<std::vector<OtherCount>> other_bases_;
  TrainedNumber trained_;  ///< the last explained number of trainable parameters in the text, and its explanation
  JsonWriter json_;
};

}  // namespace

std::string check_answer(Json root, std::string_view written) {
  const std::vector<Claim> claims = read_claims(written);
  return Judge(root).answer(claims);
}

}  // namespace param_ledger
