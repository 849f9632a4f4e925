#include "core/claims/conventions.hpp"

#include <algorithm>
#include <tuple>

#include "core/config/dimensions.hpp"
#include "core/json/json_text.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::size_t most_together = 3;

Count apart(Count a, Count b) { return a < b ? b - a : a - b; }

std::span<const ClaimTotal> totals() { return claim_totals(); }

/// Whether the model has a vocabulary. A model without one usually reads only images or audio, so "ViT" or "vision" means the whole model.
bool reads_tokens(const Model& model) {
  const auto& fields = model.configuration.fields;
  return std::any_of(fields.begin(), fields.end(), [](const Field& f) { return f.number && dimension(f.name).symbol == "V"; });
}

/// Whether a total covers all parameters or all active ones. Neither adds to an explanation's cost as a further item.
bool is_whole(const ClaimTotal& total) { return !total.alone && total.pieces[0] == 0 && !total.buffers && !total.beside; }

}  // namespace

std::string_view ranking() {
  return "The most common explanations come first. Cost 0: a named total (all parameters, active ones, the published files, without "
         "embeddings or head, the text model, a tower), rounded to the nearest; all parameters cut off to up to 3 digits; active, "
         "published "
         "and single parts cut off to up to 2 digits, or rounded up by at most a twentieth; round numbers; for bytes, the size in the "
         "model's name. Cost 1: another class, a tied head counted again, GB in powers of 1,024. Cost 2: without norms, biases or "
         "positions, with prediction layers or scales, the head tied or untied. Cost 3: router, grouped queries, gate, another vocabulary, "
         "head_dim, attention or feed-forward alone. Cost 4: experts counted once. Each further change adds 1. A number of parameters with "
         "3 digits may cost 0, any other number with up to 4 digits 1, with 5 digits 4, with 6 digits 6, each with at most two changes; an "
         "integer in full may cost anything, with up to three changes.";
}

std::string_view spelling(Verdict verdict) {
  static constexpr std::string_view names[] = {"exact", "agrees", "nearest", "unexplained"};
  return names[static_cast<std::size_t>(verdict)];
}

Conventions::Conventions(Json root, Subset subset, std::vector<Assumption> assumptions) : subset_(std::move(subset)) {
  const Model model(root);
  const RowTallies rows(model, subset_);
  changes_ = reconfigurations(model);
  if (!subset_.names.empty())  // other classes may name their tensors differently
    changes_.erase(std::remove_if(changes_.begin(), changes_.end(), [](const Reconfiguration& r) { return r.id == "other_class"; }),
                   changes_.end());
  for (std::size_t i = 0; i < assumptions.size(); ++i)
    changes_.push_back(
        {"assumption", std::move(assumptions[i].label), 3, first_free_group + static_cast<unsigned>(i), {std::move(assumptions[i].edit)}});
  collect_sets(rows);
  said_of_all_ = said_of_all(rows);
  if (!reads_tokens(model)) said_of_all_ |= subject::vision | subject::audio;
  variants_.push_back(variant(rows, {}));
  // Limits the time for large models: each count takes time in proportion to the model's rows and fields.
  const std::size_t weight = model.builder.rows().size() + model.configuration.fields.size() + 50;
  constexpr std::size_t most_work = 60'000, most_variants = 48;
  try_changes(root, std::min(most_variants, std::max<std::size_t>(most_work / weight, 4)));
}

/// Collects the sets of row switches that have an effect on the unchanged model. Changed configurations are combined only with these sets,
/// too.
void Conventions::collect_sets(const RowTallies& rows) {
  std::vector<std::uint32_t> present;
  for (unsigned s = 0; s < row_switch_count; ++s)
    if (rows.sum({}, bit(s)) != rows.sum({})) present.push_back(bit(s));
  sets_ = {0};
  up_to_[0] = 1;
  for (std::size_t n = 1; n <= most_together; ++n) {
    const std::size_t end = sets_.size();
    for (std::size_t i = n == 1 ? 0 : up_to_[n - 2]; i < end; ++i)
      for (const std::uint32_t another : present)
        if (another > sets_[i]) sets_.push_back(sets_[i] | another);
    up_to_[n] = sets_.size();
  }
}

/// The number of switch sets that are combined with this many configuration changes and this total.
std::size_t Conventions::sets_of(std::size_t n_changes, std::size_t total) const {
  const std::size_t taken = n_changes + (total == 0 ? 0 : 1);
  return taken > most_together ? 0 : up_to_[most_together - taken];
}

Conventions::Variant Conventions::variant(const RowTallies& rows, std::vector<std::size_t> changes) const {
  Variant out{std::move(changes), {}};
  for (std::size_t t = 0; t < totals().size(); ++t) {
    out.sums.emplace_back();
    const std::size_t n = sets_of(out.changes.size(), t);
    if (n == 0 || (t > 0 && !differs(totals()[t], rows))) continue;
    const Scope scope = totals()[t].scope();
    for (std::size_t set = 0; set < n; ++set) out.sums.back().push_back(rows.sum(scope, sets_[set]));
  }
  return out;
}

/// Counts at most `left` other configurations: each change alone, then the most plausible pairs.
void Conventions::try_changes(Json root, std::size_t left) {
  const std::size_t n = changes_.size();
  std::vector<bool> works(n);
  for (std::size_t i = 0; i < n && left > 0; ++i, --left) works[i] = try_variant(root, {i});
  constexpr unsigned least = 3, most = 6;
  for (unsigned cost = least; cost <= most; ++cost)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = i + 1; k < n && left > 0; ++k) {
        if (!works[i] || !works[k] || changes_[i].group == changes_[k].group || changes_[i].cost + changes_[k].cost != cost) continue;
        try_variant(root, {i, k});
        --left;
      }
}

/// Counts the model with some changes. Returns false if the changed configuration is refused, or if a single change adds nothing: it gives
/// only sums that the model already has, or it is another class whose parameter count is already one of the model's totals.
bool Conventions::try_variant(Json root, std::vector<std::size_t> changes) {
  std::vector<Edit> edits;
  for (const std::size_t change : changes) edits.insert(edits.end(), changes_[change].edits.begin(), changes_[change].edits.end());
  std::optional<Variant> other;
  try_count(edited(root, edits), [&](const Model& model) { other = variant(RowTallies(model, subset_), std::move(changes)); });
  if (!other) return false;
  if (other->changes.size() == 1) {
    const std::vector<std::vector<Count>>& own = variants_.front().sums;
    const auto as_own = [](const std::vector<Count>& a, const std::vector<Count>& b) {
      return a.empty() == b.empty() && std::equal(a.begin(), a.end(), b.begin());  // one of the two may have sums for fewer switch sets
    };
    if (std::equal(other->sums.begin(), other->sums.end(), own.begin(), as_own)) return false;
    // A class without a head may give the model without its head, which is already a total.
    const auto is_total = [&](const std::vector<Count>& sums) { return !sums.empty() && sums.front() == other->sums.front().front(); };
    if (changes_[other->changes.front()].id == "other_class" && std::any_of(own.begin(), own.end(), is_total)) return false;
  }
  variants_.push_back(*std::move(other));
  return true;
}

const Conventions::Variant* Conventions::find(const std::vector<std::size_t>& changes) const {
  const auto found = std::find_if(variants_.begin(), variants_.end(), [&](const Variant& v) { return v.changes == changes; });
  return found == variants_.end() ? nullptr : &*found;
}

/// Whether no proper subset of the changes and switches already gives a sum within these bounds.
bool Conventions::minimal(const Variant& variant, std::size_t total, std::size_t set, Count low, Count high) const {
  for (std::size_t of = 0; of < (std::size_t{1} << variant.changes.size()); ++of) {
    std::vector<std::size_t> changes;
    for (std::size_t i = 0; i < variant.changes.size(); ++i)
      if ((of >> i & 1U) != 0) changes.push_back(variant.changes[i]);
    const Variant* const other = find(changes);
    if (other == nullptr) continue;
    const std::vector<Count>& sums = other->sums[total];
    for (std::size_t k = 0; k < sums.size(); ++k)
      if ((sets_[k] & ~sets_[set]) == 0 && (k != set || other != &variant) && low <= sums[k] && sums[k] <= high) return false;
  }
  return true;
}

Explanation Conventions::explanation(const Variant& variant, std::size_t total, std::size_t set) const {
  const ClaimTotal& named = totals()[total];
  Explanation out{.scope = named.scope(), .switches = sets_[set], .sum = variant.sums[total][set], .cost = named.cost, .order = total};
  Count now = sum();
  const auto take = [&](std::string_view id, std::string_view label, Taken::Kind kind, unsigned cost, Count next) {
    out.taken.push_back({id, std::string(label), kind, next > now, apart(next, now)});
    out.cost += cost;
    now = next;
  };
  std::vector<std::size_t> changes;
  for (const std::size_t change : variant.changes) {
    changes.push_back(change);
    const Reconfiguration& r = changes_[change];
    const Variant* const step = find(changes);
    take(r.id, r.label, Taken::configuration, r.cost, step != nullptr ? step->sums.front().front() : now);
    out.edits.insert(out.edits.end(), r.edits.begin(), r.edits.end());
  }
  if (named.beside && variant.changes.empty() && set == 0)
    out.proof = concat({grouped_digits(out.sum), " = the tensors that only the published files hold"});
  if (total > 0) take(named.id, named.label, Taken::total, 0, variant.sums[total].front());
  std::uint32_t taken = 0;
  for (unsigned s = 0; s < row_switch_count; ++s) {
    if ((out.switches & bit(s)) == 0) continue;
    taken |= bit(s);
    const auto step = static_cast<std::size_t>(std::find(sets_.begin(), sets_.end(), taken) - sets_.begin());
    take(row_switches[s].id, row_switches[s].label, row_switches[s].configuration ? Taken::configuration : Taken::rows,
         row_switches[s].cost, variant.sums[total][step]);
  }
  const std::size_t free = is_whole(named) && total > 0 ? 2 : 1;
  if (out.taken.size() > free) out.cost += static_cast<unsigned>(out.taken.size() - free);
  return out;
}

std::vector<Conventions::Offered> Conventions::offered() const {
  std::vector<Offered> out;
  const Variant& own = variants_.front();
  for (std::size_t t = 1; t < totals().size(); ++t)
    if (!own.sums[t].empty()) out.push_back({totals()[t].id, std::string(totals()[t].label), Taken::total, totals()[t].cost});
  for (unsigned s = 0; s < row_switch_count; ++s)
    if (std::find(sets_.begin(), sets_.end(), bit(s)) != sets_.end())
      out.push_back({row_switches[s].id, std::string(row_switches[s].label),
                     row_switches[s].configuration ? Taken::configuration : Taken::rows, row_switches[s].cost});
  for (std::size_t i = 0; i < changes_.size(); ++i)
    if (find({i}) != nullptr) out.push_back({changes_[i].id, changes_[i].label, Taken::configuration, changes_[i].cost});
  std::stable_sort(out.begin(), out.end(), [](const Offered& a, const Offered& b) { return a.cost < b.cost; });
  return out;
}

namespace {

/// The limits that the digits of a number set for its explanation: the highest cost and the largest number of items.
struct Allowed {
  unsigned cost;
  std::size_t together;
};

Allowed allowed(unsigned digits, bool in_full, bool bytes) {
  if (digits == 3 && !bytes) return {0, 2};  // with three digits, costlier explanations would often match by chance
  if (digits <= 4) return {1, 2};
  if (digits == 5) return {4, 2};
  return {in_full ? ~0U : 6U, in_full ? most_together : 2};
}

/// Whether `a` differs from `b` by more than 1/parts of `b`.
bool is_off(Count a, Count b, unsigned parts) { return apart(a, b) > b / parts; }

/// The highest cost of an explanation that may be reported as the nearest.
constexpr unsigned most_of_nearest = 2;

/// The position of file sizes in the order of totals: the position of "published".
constexpr std::size_t order_of_files = 2;

constexpr unsigned twentieth = 20, fiftieth = 50, few_hundredths = 33, ten_thousandth = 10'000;

Count bytes_of(Count parameters, unsigned bits) { return (multiply(parameters, bits) + 7) / 8; }

}  // namespace

struct Conventions::Matches {
  const Conventions& conventions;
  const Quantity& claim;
  const std::vector<NumberReading> readings = readings_of(claim);
  Found out{Verdict::unexplained, {}, {}};
  Count least = ~Count{0}, most = 0;  ///< the range of all values that some reading allows or that are near the number

  Matches(const Conventions& of, const Quantity& number) : conventions(of), claim(number) {
    const Count near = claim.value / few_hundredths;
    least = claim.value - near;
    most = add(claim.value, near);
    for (const NumberReading& r : readings) {
      least = std::min(least, r.low);
      most = std::max(most, r.high);
    }
  }

  [[nodiscard]] bool may_be(Count value) const { return least <= value && value <= most; }

  void place(Explanation& e, Count value) const {
    e.value = value;
    e.distance = apart(value, claim.value);
    e.above = value > claim.value;
  }

  void put(Explanation e, const NumberReading& r, unsigned cost) {
    e.cost += cost;
    e.reading = r.name;
    const bool written = r.name.empty();
    // A value that differs from the round number by more than a fiftieth ranks after conventions that give the number as written.
    if (r.name == "as a round number" && is_off(e.value, claim.value, fiftieth)) e.cost += 2;
    e.rank = (e.order == 0 && e.taken.empty() ? 0U : 1U) + (written ? 0U : 1U) +
             (is_off(e.value, claim.value, written || r.cut ? twentieth : fiftieth) ? 1U : 0U);
    out.agreeing.push_back(std::move(e));
  }

  /// One sum of a variant of the model, which the claim may mean.
  struct Candidate {
    const Variant& variant;
    std::size_t total, set;
    const Width* width;  ///< the number type that converts the sum to bytes; null if the claim counts parameters
    Count sum, value;
    std::size_t switched;  ///< number of configuration changes and row switches
    bool other_class;      ///< the only change is another class

    [[nodiscard]] bool is_sure() const { return width == nullptr || width->cost == 0; }
  };

  /// Whether the claim, read as `r`, may mean the candidate. `e` is the candidate's explanation, with its cost.
  [[nodiscard]] bool means(const NumberReading& r, const Candidate& c, const Explanation& e) const {
    if (c.value < r.low || c.value > r.high) return false;
    const bool as_written = r.name.empty();
    const Allowed gate = allowed(r.digits, r.low == r.high, claim.bytes);
    if (e.cost > gate.cost || e.taken.size() > gate.together) return false;
    // A total without `cut` is not combined with an uncommon width. It must also be read as written, unless the claim names a total.
    if (!totals()[c.total].cut && (!c.is_sure() || (!as_written && claim.subject == 0))) return false;
    if (!as_written && (!c.is_sure() || (r.cut && c.switched > 0 && !c.other_class))) return false;
    // With three or more digits, only the total of all parameters may be read as cut off or rounded up, unless the claim names a total.
    if (r.cut && r.digits > 2 && claim.subject == 0 && !e.taken.empty()) return false;
    // If the value fits the number as written, a simpler variant rules it out only if that variant also fits the number as written. A
    // variant that only fits a round number is not enough.
    if (!as_written && !r.cut && c.width == nullptr && claim.low <= c.value && c.value <= claim.high)
      return conventions.minimal(c.variant, c.total, c.set, claim.low, claim.high);
    const Count low = c.width == nullptr ? r.low : (multiply(r.low, 8) + c.width->bits - 1) / c.width->bits;
    const Count high = c.width == nullptr ? r.high : multiply(r.high, 8) / c.width->bits;
    return conventions.minimal(c.variant, c.total, c.set, std::min(low, c.sum), std::max(high, c.sum));
  }

  void consider(const Variant& variant, std::size_t total, std::size_t set, const Width* width) {
    const Count sum = variant.sums[total][set], value = width == nullptr ? sum : bytes_of(sum, width->bits);
    if (!may_be(value)) return;
    const std::size_t switched = variant.changes.size() + static_cast<std::size_t>(__builtin_popcount(conventions.sets_[set]));
    const bool other_class = variant.changes.size() == 1 && conventions.changes_[variant.changes.front()].id == "other_class" && set == 0;
    const Candidate c{variant, total, set, width, sum, value, switched, other_class};
    const bool near = switched == 0 || (switched == 1 && total == 0 && !is_off(value, claim.value, ten_thousandth));
    const auto within = [&](const NumberReading& r) { return r.low <= value && value <= r.high; };
    if (!near && std::none_of(readings.begin(), readings.end(), within)) return;
    Explanation e = conventions.explanation(variant, total, set);
    place(e, value);
    if (width != nullptr) {
      e.bits = width->bits;
      e.cost += width->cost;
    }
    const ClaimTotal& named = totals()[total];
    if ((named.subject & claim.subject) != 0) e.cost -= named.cost;
    if (near && e.cost <= most_of_nearest && conventions.minimal(variant, total, set, sum, sum)) put_nearest(e);
    const auto meant = std::find_if(readings.begin(), readings.end(), [&](const NumberReading& r) { return means(r, c, e); });
    if (meant != readings.end()) put(std::move(e), *meant, meant->cost + (switched > 0 && !meant->name.empty() ? 1U : 0U));
  }

  void put_nearest(const Explanation& e) {
    if (!is_off(e.value, claim.value, few_hundredths) && (!out.nearest || e.distance < out.nearest->distance)) out.nearest = e;
  }

  /// Considers all sums of all variants of the model, in bytes at this width or, if it is null, in parameters.
  void consider_sums(const Width* width) {
    for (const Variant& variant : conventions.variants_)
      for (std::size_t total = 0; total < totals().size(); ++total) {
        if ((claim.subject & ~(totals()[total].subject | conventions.said_of_all_)) != 0) continue;
        for (std::size_t set = 0; set < variant.sums[total].size(); ++set) consider(variant, total, set, width);
      }
  }

  void consider_stored(const StoredBytes& stored) {
    Explanation e{.sum = conventions.sum(), .stored = stored.how, .cost = stored.cost, .order = order_of_files};
    place(e, stored.low);
    for (const NumberReading& r : readings)
      if (stored.low <= r.high && r.low <= stored.high && (stored.cost == 0 || r.name.empty())) return put(std::move(e), r, r.cost);
    put_nearest(e);
  }

  void consider_names(const std::vector<Width>& widths) {
    for (const SizeName& name : size_names(conventions.sum()))
      for (const Width& width : widths) {
        const Count bytes = bytes_of(name.parameters, width.bits);
        if (bytes < claim.low || bytes > claim.high || name.parameters == conventions.sum()) continue;
        Explanation e{.sum = conventions.sum(), .bits = width.bits, .cost = width.cost};
        place(e, bytes);
        const std::string reading = concat({by_name, name.text});
        put(std::move(e), {claim.low, claim.high, claim.digits, 0, false, reading}, 0);
      }
  }

  void explain(const ByteWays& ways) {
    if (!claim.bytes) consider_sums(nullptr);
    for (const Width& width : ways.widths) consider_sums(&width);
    if (claim.subject == 0) {
      for (const StoredBytes& stored : ways.stored) consider_stored(stored);
      consider_names(ways.name_widths);
    }
    const auto key = [](const Explanation& e) { return std::tuple(e.cost, e.rank, e.order, e.distance, e.edits.size()); };
    std::stable_sort(out.agreeing.begin(), out.agreeing.end(), [&](const Explanation& a, const Explanation& b) { return key(a) < key(b); });
    const std::vector<Explanation> all = out.agreeing;
    out.agreeing.erase(std::remove_if(out.agreeing.begin(), out.agreeing.end(), [&](const Explanation& e) { return is_dearer(e, all); }),
                       out.agreeing.end());
    constexpr std::size_t most_listed = 12;
    if (out.agreeing.size() > most_listed) out.agreeing.resize(most_listed);
    if (!out.agreeing.empty())
      out.verdict = claim.exact() && !claim.bytes && out.agreeing.front().reading.empty() ? Verdict::exact : Verdict::agrees;
    else if (out.nearest && !is_off(out.nearest->value, claim.value, ten_thousandth))
      out.verdict = Verdict::nearest;
  }

  /// Whether another explanation has the same sum, bits, file size and reading at a lower cost.
  static bool is_dearer(const Explanation& e, const std::vector<Explanation>& all) {
    return std::any_of(all.begin(), all.end(), [&](const Explanation& other) {
      return other.sum == e.sum && other.bits == e.bits && other.stored == e.stored && other.reading == e.reading && other.cost < e.cost;
    });
  }
};

Conventions::Found Conventions::explain(const Quantity& claim, const ByteWays& ways) const {
  Matches search(*this, claim);
  search.explain(ways);
  return std::move(search.out);
}

std::string sum_text(const Explanation& explanation) {
  Count base = explanation.sum;  // all parameters of the unchanged model
  for (std::size_t i = explanation.taken.size(); i-- > 0;) {
    const Taken& t = explanation.taken[i];
    base = t.added ? base - t.change : add(base, t.change);
  }
  std::string out = concat({grouped_digits(explanation.sum), " = all parameters"});
  if (explanation.taken.empty()) return out;
  out += concat({" ", grouped_digits(base)});
  for (const Taken& t : explanation.taken) {
    const bool number = is_digit(t.label.back());  // a label that ends in a digit must not touch the next number
    out += concat({t.added ? " + " : " − ", t.kind == Taken::configuration && t.id != "two_matrices" ? "as if with " : "", t.label,
                   number ? ": " : " ", grouped_digits(t.change)});
  }
  return out;
}

std::string conditions_text(const Explanation& e) {
  std::string out;
  for (const Taken& t : e.taken) {
    if (!out.empty()) out += ", ";
    const bool other = t.kind == Taken::configuration && t.id != "two_matrices";
    out += concat({other || t.added ? "with " : "without ", other || t.label.starts_with("every") ? "" : "the ", t.label});
  }
  return out;
}

}  // namespace param_ledger
