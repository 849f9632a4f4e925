#include "core/claim.hpp"

#include <algorithm>
#include <optional>

#include "core/dimensions.hpp"
#include "core/json_writer.hpp"
#include "core/storage.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

// --- Other configurations ----------------------------------------------------------------------------------------------

/// Tokens of vocabularies whose tables are published with rows to spare: GPT-2, GPT-NeoX, Qwen, Qwen 2, Qwen 2.5, Qwen 3, DeepSeek's,
/// Phi-2.
constexpr std::uint64_t token_counts[] = {50257, 50254, 50277, 50280, 50295, 100'000, 100'015, 151'643, 151'646, 151'665, 151'669, 128'815};

const Field* field_of_symbol(const Configuration& all, std::string_view symbol, std::optional<std::uint16_t> section = {}) {
  for (const Field& field : all.fields)
    if (field.type == FieldType::integer && field.number && (!section || field.section == *section) &&
        dimension(field.name).symbol == symbol)
      return &field;
  return nullptr;
}

constexpr unsigned exact_digits = 6;

/// What the digits of a number allow an explanation to cost, and how many switches.
struct Allowed {
  unsigned cost, switches;
};

Allowed allowed(unsigned digits) {
  if (digits <= 2) return {2, 2};
  if (digits == 3) return {3, 2};
  if (digits == 4) return {4, 2};
  if (digits < exact_digits) return {6, 2};
  return {~0U, 3};
}

Count distance(Count a, Count b) { return a < b ? b - a : a - b; }

/// One way to understand the number, in parameters.
struct Reading {
  Count low, high, value;
  unsigned digits;
  unsigned cost;
  std::string_view name;
};

/// Elements that fill so many bytes.
Reading in_elements(Reading r, unsigned bits) {
  r.low = (multiply(r.low, 8) + bits - 1) / bits;
  r.high = multiply(r.high, 8) / bits;
  r.value = multiply(r.value, 8) / bits;
  return r;
}

std::vector<Reading> readings(const Quantity& claim, unsigned bits) {
  std::vector<Reading> out{{claim.low, claim.high, claim.value, claim.digits, 0, ""}};
  if (claim.zeros > 0 && claim.digits > claim.zeros) {
    Count half = claim.ulp * 5;
    for (unsigned i = 1; i < claim.zeros; ++i) half = multiply(half, 10);
    out.push_back({claim.value - half, add(claim.value, half), claim.value, claim.digits - claim.zeros, 3, "as a round number"});
  }
  if (claim.bytes && claim.decimal) {
    const auto binary = [&](Count bytes) {
      Count unit = 1, other = 1;
      for (unsigned i = 0; i < claim.thousands; ++i) {
        unit *= 1000;
        other *= 1024;
      }
      return multiply(bytes, other) / unit;
    };
    out.push_back({binary(claim.low), binary(claim.high), binary(claim.value), claim.digits, 3, "in powers of 1,024"});
  }
  if (claim.bytes)
    for (Reading& r : out) r = in_elements(r, bits);
  return out;
}

}  // namespace

std::string_view ranking() {
  return "The plainest first: the head or the embeddings left out, active parameters, a tied head counted again (1); norms, biases, "
         "positions left out, buffers, prediction layers or scales counted, the head tied or not (2); router, grouped queries, gate, "
         "padding, head_dim, another reading of the number (3); a layer more or fewer, experts once (4); and 1 for each further switch, "
         "but for what is left out of active parameters. A number of 1 or 2 digits is explained by 2 at most, one of 3 digits by 3, of 4 "
         "by 4, of 5 by 6, of more by any three switches.";
}

std::string_view spelling(Verdict verdict) {
  static constexpr std::string_view names[] = {"exact", "agrees", "nearest", "unexplained"};
  return names[static_cast<std::size_t>(verdict)];
}

Conventions::Conventions(Json root, Subset subset, std::vector<Assumption> assumptions) : subset_(std::move(subset)) {
  const Model model(root);
  // The switches that change something, here or in another configuration, which may bring biases but hardly anything else.
  std::uint32_t present = 0;
  sets_ = {0};
  for (unsigned s = 0; s < row_switch_count; ++s) sets_.push_back(bit(s));
  const std::vector<Count> singles = row_sums(model, subset_, sets_);
  for (unsigned s = 0; s < row_switch_count; ++s)
    if (singles[s + 1] != singles[0]) present |= bit(s);
  collect_changes(model);
  constexpr unsigned own_groups = 100;
  for (std::size_t i = 0; i < assumptions.size(); ++i)
    reconfigured_.push_back(
        {"assumption", std::move(assumptions[i].label), 3, own_groups + static_cast<unsigned>(i), {std::move(assumptions[i].edit)}});
  const bool may_tie = std::any_of(reconfigured_.begin(), reconfigured_.end(), [](const Reconfigured& r) { return r.group == 0; });
  if (may_tie) present |= bit(RowSwitch::output_head);
  sets_ = {0};
  for (unsigned a = 0; a < row_switch_count; ++a) {
    if ((present & bit(a)) == 0) continue;
    sets_.push_back(bit(a));
    for (unsigned b = a + 1; b < row_switch_count; ++b) {
      if ((present & bit(b)) == 0) continue;
      if (a == RowSwitch::active_only && b == RowSwitch::experts_once) continue;
      sets_.push_back(bit(a) | bit(b));
      for (unsigned c = b + 1; c < row_switch_count; ++c)
        if ((present & bit(c)) != 0 && !((a == RowSwitch::active_only || b == RowSwitch::active_only) && c == RowSwitch::experts_once))
          sets_.push_back(bit(a) | bit(b) | bit(c));
    }
  }
  variants_.push_back({{}, row_sums(model, subset_, sets_)});
  // So that the time is bounded for any model: a count takes time in proportion to its rows and its text.
  const std::size_t weight = model.builder.rows().size() + model.configuration.fields.size() + 50;
  constexpr std::size_t most_work = 60'000;
  constexpr std::size_t most_variants = 48;
  std::size_t left = std::min(most_variants, std::max<std::size_t>(most_work / weight, 4));
  const std::size_t n = reconfigured_.size();
  std::vector<bool> works(n);
  for (std::size_t i = 0; i < n && left > 0; ++i, --left) works[i] = try_variant(root, {i});
  for (unsigned most = 5; most <= 8; ++most)  // the plainest pairs first
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = i + 1; k < n && left > 0; ++k) {
        if (!works[i] || !works[k] || reconfigured_[i].group == reconfigured_[k].group) continue;
        const unsigned cost = reconfigured_[i].cost + reconfigured_[k].cost;
        if (cost != most && !(most == 5 && cost < 5)) continue;
        try_variant(root, {i, k});
        --left;
      }
}

void Conventions::collect_changes(const Model& model) {
  const Configuration& all = model.configuration;
  const auto offer = [&](std::string_view id, std::string label, unsigned cost, unsigned group, std::vector<Edit> edits) {
    reconfigured_.push_back({id, std::move(label), cost, group, std::move(edits)});
  };
  for (const Field& field : all.fields)
    if (field.name == "tie_word_embeddings" && field.section == 0) {
      const bool tied = field.given ? field.given.is(Json::Type::boolean) && field.given.boolean() : field.value == "true";
      offer(tied ? "as_if_untied" : "as_if_tied", tied ? "an untied head" : "a tied head", 2, 0,
            {edit_of(all, field, tied ? "false" : "true")});
    }
  const Field* const kv = field_of_symbol(all, "n_kv");
  const Field* const heads = field_of_symbol(all, "n", kv != nullptr ? std::optional(kv->section) : std::nullopt);
  const Field* const width = field_of_symbol(all, "d", heads != nullptr ? std::optional(heads->section) : std::nullopt);
  if (kv != nullptr && heads != nullptr && kv->number.value() != heads->number.value())
    offer("no_grouped_queries", concat({grouped_digits(heads->number.value()), " key-value heads"}), 3, 1,
          {edit_of(all, *kv, digits(heads->number.value()))});
  if (const Field* const head = field_of_symbol(all, "h", heads != nullptr ? std::optional(heads->section) : std::nullopt);
      head != nullptr && heads != nullptr && width != nullptr && heads->number.value() > 0) {
    const Count share = width->number.value() / heads->number.value();
    if (share != head->number.value())
      offer("head_dim_as_share", concat({"heads of ", grouped_digits(share)}), 3, 2, {edit_of(all, *head, digits(share))});
  }
  if (const Field* const vocab = field_of_symbol(all, "V"); vocab != nullptr) {
    const Count now = vocab->number.value();
    Count before = now;
    for (const unsigned multiple : {64U, 128U, 256U, 512U, 1024U}) {
      const Count padded = (now + multiple - 1) / multiple * multiple;
      if (padded == before) continue;
      before = padded;
      offer("padded_vocabulary", concat({"a vocabulary padded to ", grouped_digits(padded)}), 3, 3, {edit_of(all, *vocab, digits(padded))});
    }
    for (const std::uint64_t tokens : token_counts)
      if (tokens < now && now - tokens < 1024)
        offer("unpadded_vocabulary", concat({"an unpadded vocabulary of ", grouped_digits(tokens)}), 3, 3,
              {edit_of(all, *vocab, digits(tokens))});
  }
  if (const Field* const layers = field_of_symbol(all, "L", heads != nullptr ? std::optional(heads->section) : std::nullopt);
      layers != nullptr && layers->number.value() < 100'000) {
    const auto now = static_cast<std::uint64_t>(layers->number.value());
    offer("one_layer_more", concat({grouped_digits(now + 1), " layers"}), 4, 4, edits_of_layers(all, *layers, now + 1));
    if (now > 1) offer("one_layer_fewer", concat({grouped_digits(now - 1), " layers"}), 4, 4, edits_of_layers(all, *layers, now - 1));
  }
}

bool Conventions::try_variant(Json root, std::vector<std::size_t> changes) {
  std::vector<Edit> edits;
  for (const std::size_t change : changes)
    edits.insert(edits.end(), reconfigured_[change].edits.begin(), reconfigured_[change].edits.end());
  try {
    const Document document(edited(root, edits));
    const Model model(document.root());
    std::vector<Count> sums = row_sums(model, subset_, sets_);
    if (changes.size() == 1 && sums == variants_.front().sums) return false;
    variants_.push_back({std::move(changes), std::move(sums)});
    return true;
  } catch (const Error&) {
    return false;  // no model
  }
}

const Conventions::Variant* Conventions::find(const std::vector<std::size_t>& changes) const {
  const auto found = std::find_if(variants_.begin(), variants_.end(), [&](const Variant& v) { return v.changes == changes; });
  return found == variants_.end() ? nullptr : &*found;
}

bool Conventions::minimal(const Variant& variant, std::size_t set) const {
  const Count sum = variant.sums[set];
  const std::size_t n_changes = variant.changes.size();
  for (std::size_t of = 0; of < (std::size_t{1} << n_changes); ++of) {
    std::vector<std::size_t> changes;
    for (std::size_t i = 0; i < n_changes; ++i)
      if ((of >> i & 1U) != 0) changes.push_back(variant.changes[i]);
    const Variant* const other = find(changes);
    if (other == nullptr) continue;
    for (std::size_t k = 0; k < sets_.size(); ++k)
      if ((sets_[k] & ~sets_[set]) == 0 && (k != set || other != &variant) && other->sums[k] == sum) return false;
  }
  return true;
}

Explanation Conventions::explanation(const Variant& variant, std::size_t set) const {
  Explanation out;
  out.sum = variant.sums[set];
  out.rows = sets_[set];
  Count now = sum();
  const auto take = [&](std::string_view id, std::string_view label, bool configuration, unsigned cost, Count next) {
    out.taken.push_back({id, std::string(label), configuration, next > now, distance(next, now)});
    out.cost += cost;
    now = next;
  };
  std::vector<std::size_t> changes;
  for (const std::size_t change : variant.changes) {
    changes.push_back(change);
    const Reconfigured& r = reconfigured_[change];
    const Variant* const step = find(changes);
    take(r.id, r.label, true, r.cost, step != nullptr ? step->sums.front() : now);
    out.edits.insert(out.edits.end(), r.edits.begin(), r.edits.end());
  }
  std::uint32_t taken = 0;
  for (unsigned s = 0; s < row_switch_count; ++s) {
    if ((out.rows & bit(s)) == 0) continue;
    taken |= bit(s);
    const auto step = static_cast<std::size_t>(std::find(sets_.begin(), sets_.end(), taken) - sets_.begin());
    take(row_switches[s].id, row_switches[s].label, row_switches[s].configuration, row_switches[s].cost, variant.sums[step]);
  }
  // Of active parameters others are left out as of all.
  const auto together = static_cast<unsigned>(out.taken.size()) - ((out.rows & bit(RowSwitch::active_only)) != 0 ? 1U : 0U);
  if (together > 1) out.cost += together - 1;
  return out;
}

Conventions::Found Conventions::explain(const Quantity& claim, unsigned bits) const {
  constexpr std::size_t most_listed = 12;
  Found out{Verdict::unexplained, {}, {}};
  const std::vector<Reading> all = readings(claim, bits);
  bool have_nearest = false;
  for (const Variant& variant : variants_)
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      const auto switches = static_cast<unsigned>(variant.changes.size()) + static_cast<unsigned>(__builtin_popcount(sets_[set]));
      if (switches > 3) continue;
      const Count sum = variant.sums[set];
      const Count off = distance(sum, all.front().value);
      const bool nearer = switches <= 1 && (!have_nearest || off < out.nearest.distance);
      const bool agrees = std::any_of(all.begin(), all.end(), [&](const Reading& r) { return r.low <= sum && sum <= r.high; });
      if ((!nearer && !agrees) || !minimal(variant, set)) continue;
      Explanation found = explanation(variant, set);
      found.distance = off;
      if (nearer) {
        out.nearest = found;
        have_nearest = true;
      }
      for (const Reading& r : all) {
        const Allowed most = allowed(r.digits);
        if (sum < r.low || sum > r.high || found.cost > most.cost || switches > most.switches) continue;
        if (r.low == r.high && found.distance != 0 && r.name.empty()) continue;
        found.reading = r.name;
        found.cost += r.cost;
        out.agreeing.push_back(found);
        break;
      }
    }
  std::stable_sort(out.agreeing.begin(), out.agreeing.end(), [](const Explanation& a, const Explanation& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.distance != b.distance ? a.distance < b.distance : a.edits.size() < b.edits.size();
  });
  if (out.agreeing.size() > most_listed) out.agreeing.resize(most_listed);
  if (!out.agreeing.empty())
    out.verdict = claim.exact() && !claim.bytes && out.agreeing.front().reading.empty() ? Verdict::exact : Verdict::agrees;
  else if (have_nearest && out.nearest.distance <= all.front().value / 10'000)
    out.verdict = Verdict::nearest;
  return out;
}

std::vector<Conventions::Offered> Conventions::offered() const {
  std::vector<Offered> out;
  for (unsigned s = 0; s < row_switch_count; ++s) {
    const auto set = std::find(sets_.begin(), sets_.end(), bit(s));
    if (set != sets_.end() && variants_.front().sums[static_cast<std::size_t>(set - sets_.begin())] != sum())
      out.push_back({row_switches[s].id, std::string(row_switches[s].label), row_switches[s].configuration, row_switches[s].cost});
  }
  for (std::size_t i = 0; i < reconfigured_.size(); ++i)
    if (find({i}) != nullptr) out.push_back({reconfigured_[i].id, reconfigured_[i].label, true, reconfigured_[i].cost});
  std::stable_sort(out.begin(), out.end(), [](const Offered& a, const Offered& b) { return a.cost < b.cost; });
  return out;
}

std::string sum_text(const Explanation& explanation) {
  Count base = explanation.sum;  // what all parameters are: the changes undone
  for (std::size_t i = explanation.taken.size(); i-- > 0;) {
    const Taken& t = explanation.taken[i];
    base = t.added ? base - t.change : add(base, t.change);
  }
  std::string out = concat({grouped_digits(explanation.sum), " = all parameters"});
  if (explanation.taken.empty()) return out;
  out += concat({" ", grouped_digits(base)});
  for (const Taken& t : explanation.taken) {
    const bool number = is_digit(t.label.back());  // which must not run into the next
    out += concat({t.added ? " + " : " − ", t.configuration && t.id != "two_matrices" ? "as if with " : "", t.label, number ? ": " : " ",
                   grouped_digits(t.change)});
  }
  return out;
}

namespace {

// --- The answer --------------------------------------------------------------------------------------------------------

std::string bytes_text(Count sum, unsigned bits) {
  return concat({grouped_digits((multiply(sum, bits) + 7) / 8), " bytes = ", bits == 4 ? "½ byte" : digits(bits / 8),
                 bits == 4   ? ""
                 : bits == 8 ? " byte"
                             : " bytes",
                 " × "});
}

std::string verdict_text(const Quantity& claim, const Conventions::Found& found, unsigned bits) {
  const auto sum = [&](const Explanation& e) { return claim.bytes ? concat({bytes_text(e.sum, bits), sum_text(e)}) : sum_text(e); };
  switch (found.verdict) {
    case Verdict::exact: return sum(found.agreeing.front());
    case Verdict::agrees: {
      const Explanation& best = found.agreeing.front();
      return concat({claim.text, best.reading.empty() ? "" : concat({", read ", best.reading, ","}), " agrees with ", sum(best)});
    }
    case Verdict::nearest:
      return concat({"No convention gives ", claim.text, ". The nearest is ", sum(found.nearest), ": ",
                     grouped_digits(found.nearest.distance), " remain."});
    default:
      return concat({"No convention explains ", claim.text, ". The nearest is ", sum(found.nearest), ", which is ",
                     grouped_digits(found.nearest.distance), " away."});
  }
}

void write_explanation(JsonWriter& json, const Explanation& e, Json root, unsigned bits, bool bytes) {
  json.open_object();
  json.member("sentence", sum_text(e));
  json.member("sum", digits(e.sum));
  if (bytes) json.member("bytes", digits((multiply(e.sum, bits) + 7) / 8));
  json.member("difference", digits(e.distance));
  json.raw_member("cost", digits(e.cost));
  if (!e.reading.empty()) json.member("reading", e.reading);
  json.key("switches").open_array();
  for (const Taken& t : e.taken) {
    json.open_object();
    json.member("id", t.id);
    json.member("label", t.label);
    json.member("kind", t.configuration ? "configuration" : "rows");
    json.raw_member("added", t.added ? "true" : "false");
    json.member("change", digits(t.change));
    json.close_object();
  }
  json.close_array();
  if (!e.edits.empty()) {
    json.key("changed").open_object();
    for (const Edit& edit : e.edits) json.text_key(edit.path).raw(edit.json);
    json.close_object();
  }
  json.key("rows").open_array();
  constexpr std::size_t most_rows = 200;
  const Document document(edited(root, e.edits));
  std::vector<RowShare> rows = rows_of(Model(document.root()), e.rows);
  if (rows.size() > most_rows) rows.resize(most_rows);
  for (const RowShare& row : rows) {
    json.open_object();
    json.member("name", row.name);
    json.member("counted", digits(row.counted));
    json.member("usual", digits(row.usual));
    json.close_object();
  }
  json.close_array();
  json.close_object();
}

}  // namespace

std::string check_answer(Json request) {
  const Json root = request["config"], text = request["claim"];
  if (!text.is(Json::Type::string)) throw Error{ErrorCode::wrong_type, "claim", "claim must be a string, e.g. \"6.74B\"."};
  const Quantity claim = read_quantity(text.string(), "claim");
  const Model model(root);
  NumberType type{claim.dtype, claim.bits};
  std::string_view type_from = "claim";
  if (type.bits == 0) {
    type = configured_type(root, 1);
    type_from = "config";
  }
  if (type.bits == 0) {
    type = {"bfloat16", 16};
    type_from = "default";
  }
  const Conventions conventions(root);
  const Conventions::Found found = conventions.explain(claim, type.bits);
  JsonWriter json;
  json.open_object();
  json.raw_member("ok", "true");
  json.member("model_type", model.choice.family->model_type);
  json.member("architecture", model.choice.architecture.name);
  json.key("claim").open_object();
  json.member("text", claim.text);
  json.member("unit", claim.bytes ? "bytes" : "parameters");
  json.member("low", digits(claim.low));
  json.member("high", digits(claim.high));
  json.raw_member("digits", digits(claim.digits));
  if (claim.bytes) {
    json.member("dtype", type.name);
    json.member("dtype_from", type_from);
  }
  json.close_object();
  json.member("verdict", spelling(found.verdict));
  json.member("sentence", verdict_text(claim, found, type.bits));
  json.member("parameters", digits(conventions.sum()));
  json.key("agreeing").open_array();
  for (const Explanation& e : found.agreeing) write_explanation(json, e, root, type.bits, claim.bytes);
  json.close_array();
  json.key("nearest");
  write_explanation(json, found.nearest, root, type.bits, claim.bytes);
  json.key("offered").open_array();
  for (const Conventions::Offered& o : conventions.offered()) {
    json.open_object();
    json.member("id", o.id);
    json.member("label", o.label);
    json.raw_member("cost", digits(o.cost));
    json.close_object();
  }
  json.close_array();
  json.member("ranking", ranking());
  json.close_object();
  return json.take();
}

}  // namespace param_ledger
