#include "core/claims/claim.hpp"

#include "core/claims/conventions.hpp"
#include "core/claims/known_claims.hpp"
#include "core/json/json_text.hpp"
#include "core/json/json_writer.hpp"
#include "core/model/answer.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// "13,476,831,232 bytes = 2 bytes × 6,738,415,616 = all parameters"
std::string proof(const Quantity& claim, const Explanation& e) {
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
  static constexpr std::string_view names[] = {"total", "configuration", "rows"};
  return names[static_cast<std::size_t>(kind)];
}

void write_rows(JsonWriter& json, const Model& model, const Explanation& e) {
  json.key("rows").open_array();
  constexpr std::size_t most_rows = 200;
  std::vector<RowShare> rows = rows_of(model, e.scope, e.switches);
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

void write_claim(JsonWriter& json, const Quantity& claim, const ByteWays& ways) {
  json.key("claim").open_object();
  json.member("text", claim.text);
  json.member("unit", claim.bytes ? "bytes" : "parameters");
  json.member("low", digits(claim.low));
  json.member("high", digits(claim.high));
  json.raw_member("digits", digits(claim.digits));
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

}  // namespace

std::string check_answer(Json root, std::string_view written) {
  const Quantity claim = read_quantity(written, "claim");
  const Model model(root);
  const ByteWays ways = claim.bytes ? ways_of_storing(model, root, claim) : ByteWays{};
  const Conventions conventions(root);
  const Conventions::Found found = conventions.explain(claim, ways);
  const KnownClaim* const known = found.agreeing.empty() ? known_claim(conventions.sum(), claim) : nullptr;
  JsonWriter json;
  open_answer(json, model.choice);
  write_claim(json, claim, ways);
  json.member("verdict", spelling(found.verdict));
  json.member("sentence", verdict_text(claim, found, known));
  if (known != nullptr) {
    json.key("known").open_object();
    json.member("model", known->model);
    json.member("history", known->history);
    json.member("source", known->source);
    json.close_object();
  }
  json.member("parameters", digits(conventions.sum()));
  json.key("agreeing").open_array();
  for (const Explanation& e : found.agreeing) write_explanation(json, e, root, model, claim);
  json.close_array();
  if (found.nearest) {
    json.key("nearest");
    write_explanation(json, *found.nearest, root, model, claim);
  }
  write_offered(json, conventions);
  json.member("ranking", ranking());
  json.close_object();
  return json.take();
}

}  // namespace param_ledger
