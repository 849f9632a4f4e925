#include "core/model/totals.hpp"

#include <algorithm>

#include "core/config/dimensions.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

Totals totals_of(const std::vector<Row>& rows) {
  Totals t;
  for (const Row& row : rows) {
    const std::size_t part = answer_part(row);
    const Count total = row.total.peek();
    switch (row.kind) {
      case Kind::parameter:
        t.parameters[part] = add(t.parameters[part], total);
        t.parameter_sum = add(t.parameter_sum, total);
        t.active = add(t.active, row.active.peek());
        if (row.storage == StorageKind::table && row.in_text(Part::embedding)) t.tables = add(t.tables, row.active.decide());
        break;
      case Kind::buffer:
        t.buffers[part] = add(t.buffers[part], total);
        t.buffer_sum = add(t.buffer_sum, total);
        break;
      case Kind::published: t.published = add(t.published, total); continue;
      case Kind::possible: continue;
      case Kind::tied: break;
    }
    t.present[part] = true;
  }
  return t;
}

const Field* missing_active(const Configuration& configuration, const std::vector<Row>& rows) {
  if (std::none_of(rows.begin(), rows.end(), [](const Row& row) { return bool(row.experts); })) return nullptr;
  for (const Field& field : configuration.fields)
    if (field.type == FieldType::integer && !field.number && &dimension(field.name) == &dimension("num_experts_per_tok")) return &field;
  return nullptr;
}

void require_active(const Configuration& configuration, const std::vector<Row>& rows) {
  const Field* const field = missing_active(configuration, rows);
  if (field == nullptr) return;
  const std::string name = configuration.full_name(field->section, field->name);
  throw Error{.code = ErrorCode::missing_field,
              .field = name,
              .message = concat({name, " must give the number of experts per token: active parameters depend on it."}),
              .kind = Refused::unsaid_experts};
}

const std::vector<NamedTotal>& named_totals() {
  static const std::vector<NamedTotal> all = {
      {"parameters", "All parameters; a tied tensor counts once.", [](const Totals& t) { return t.parameter_sum; }},
      {"buffers", "Elements of persistent buffers: saved in a checkpoint, but not parameters.",
       [](const Totals& t) { return t.buffer_sum; }},
      {"stored", "Parameters and buffers: the elements of a checkpoint as transformers saves it.",
       [](const Totals& t) { return add(t.parameter_sum, t.buffer_sum); }},
      {"published",
       "The elements of the published files: those of the model and of additional tensors. Missing if files are packed in a way that is "
       "not counted.",
       [](const Totals& t) { return add(add(t.parameter_sum, t.buffer_sum), t.published); }},
      {"embedding", "The embedding tables of tokens and, if they are learned, of positions and segment types.",
       [](const Totals& t) { return t.of(Part::embedding); }},
      {"output_head", "The head on top of the model; 0 if it is tied to the embedding table, which is already counted.",
       [](const Totals& t) { return t.of(Part::output_head); }},
      {"non_embedding", "All parameters except the embedding tables and the output head.",
       [](const Totals& t) { return t.parameter_sum - t.of(Part::embedding) - t.of(Part::output_head); }},
      {"active", "Parameters that one token uses: all except inactive experts.", [](const Totals& t) { return t.active; }, true},
      {"active_non_embedding", "Active parameters without the embedding tables, from which a token reads only one row.",
       [](const Totals& t) { return t.active - t.tables; }, true},
  };
  return all;
}

std::string_view step_name(std::string_view part) {
  return part == "feed_forward" ? "ffn" : part == "output_head" ? "head" : part == "state_space" ? "mixer" : part;
}

Expr closed_formula(Pool& pool, const std::vector<Row>& rows, const Totals& totals, Quotients exact) {
  std::vector<Term> terms;
  terms.reserve(rows.size());
  for (const Row& row : rows)
    if (row.kind == Kind::parameter) terms.push_back({row.elements, row.repeats});
  const Expr formula = collect(pool, terms, exact);
  // The closed formula and the sum of the rows compute the total in two ways, so they must agree.
  if (formula.decide() != totals.parameter_sum)
    throw Error{ErrorCode::internal, "", "The closed formula does not give the sum of the tensors."};
  return formula;
}

}  // namespace param_ledger
