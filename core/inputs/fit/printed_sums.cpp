#include "core/inputs/fit/printed_sums.hpp"

#include <algorithm>
#include <iterator>

#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

bool is_parameter(const ListedRow& row) { return row.kind == ListedKind::parameter || row.kind == ListedKind::packed; }

/// Whether a module belongs to an adapter or lies outside the recognised model.
bool is_outside(const PrintedPlace& p, const Fitted& fitted) {
  return p.adapter || !(p.name.starts_with(fitted.prefix) || fitted.prefix == p.name + '.');
}

}  // namespace

bool ties_head(const OpenField& open) {
  constexpr std::string_view tie = "tie_word_embeddings";
  return open.field == tie || open.field.ends_with(".tie_word_embeddings");
}

PrintedSums printed_sums(const PrintedModel& printed, const Fitted* fitted, bool whole) {
  PrintedSums out;
  Count beside = 0;
  for (const ListedRow& row : printed.rows) {
    if (!is_parameter(row)) continue;
    const Count total = multiply(row.copies, row.numbers);
    out.shown = add(out.shown, total);
    if (fitted != nullptr && (row.adapter || !row.name.starts_with(fitted->prefix))) beside = add(beside, total);
  }
  if (printed.class_name.empty()) return out;
  if (fitted == nullptr) {
    if (whole && printed.places.empty()) out.parameters = out.shown;
    return out;
  }
  const auto unknown = [&](const PrintedPlace& p) { return is_outside(p, *fitted); };
  if (!whole || !fitted->agrees || std::any_of(printed.places.begin(), printed.places.end(), unknown)) return out;
  const Count all = add(fitted->parameters, beside);
  const std::vector<OpenField>& open = fitted->open;
  if (open.empty()) {
    out.parameters = all;
  } else if (open.size() == 1 && ties_head(open.front()) && open.front().other) {
    const Count other = add(*open.front().other, beside);
    out.parameters = std::max(all, other);
    out.if_tied = std::min(all, other);
  } else {
    out.if_assumed = all;
  }
  return out;
}

std::vector<ListedRow> rows_of(const PrintedModel& printed, const Fitted* fitted) {
  std::vector<ListedRow> out = printed.rows;
  if (fitted == nullptr || !fitted->agrees) return out;
  const std::vector<Row>& rows = fitted->model->builder.rows();
  const bool tying_open = std::any_of(fitted->open.begin(), fitted->open.end(), ties_head);
  std::vector<bool> own(out.size(), tying_open);
  for (const PrintedMatch::Pair& pair : fitted->match.pairs)
    if (pair.tensors != 0 && rows[pair.expected].kind != Kind::tied) own[pair.listed] = true;
  for (const PrintedMatch::Pair& pair : fitted->match.pairs)
    if (pair.tensors != 0 && !own[pair.listed]) out[pair.listed].kind = ListedKind::tied;
  for (const std::size_t i : fitted->deduced) {
    const PrintedMatch::Hidden& hidden = fitted->match.hidden[i];
    const Row& row = rows[hidden.expected];
    ListedRow& made = out.emplace_back();
    made.name = concat({fitted->prefix, row.name});
    for (const Expr dim : row.shape) made.shape.push_back(static_cast<std::uint64_t>(dim.peek()));
    made.elements = made.numbers = row.elements.peek();
    made.copies = hidden.tensors;
    made.taken = true;
    made.trainable = !printed.adapted;
  }
  return out;
}

std::vector<const PrintedPlace*> unexplained(const PrintedModel& printed, const Fitted* fitted) {
  std::vector<const PrintedPlace*> out;
  if (fitted != nullptr)
    for (const std::size_t place : fitted->match.unexplained) out.push_back(&printed.places[place]);
  for (const PrintedPlace& place : printed.places)
    if (fitted == nullptr ? place.hollow && !place.empty : is_outside(place, *fitted)) out.push_back(&place);
  return out;
}

}  // namespace param_ledger
