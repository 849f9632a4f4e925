#include "core/claims/row_switches.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/model/final_norms.hpp"
#include "core/model/prediction_layers.hpp"
#include "core/model/quantized_files.hpp"
#include "core/model/totals.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

Count sum_of(const Model& model, const Subset& subset) {
  Count sum = 0;
  for (const Row& row : model.builder.rows())
    if (row.kind == Kind::parameter && std::any_of(subset.names.begin(), subset.names.end(),
                                                   [&](std::string_view name) { return row.name.find(name) != std::string::npos; }))
      sum = add(sum, subset.one_copy ? row.elements.peek() : row.total.peek());
  return sum;
}

const RowSwitch row_switches[row_switch_count] = {
    {"tied_head", "tied head counted again", 1},
    {"final_norm", "final norm", 2},
    {"norms", "norms", 2},
    {"biases", "biases", 2},
    {"positions", "position embeddings", 2},
    {"prediction_layers", "prediction layers", 2},
    {"scales", "quantization scales", 2},
    {"router", "router", 3},
    {"two_matrices", "third matrix of the feed-forward", 3, true},
    {"experts_once", "experts but one of each layer", 4},
};

namespace {

using enum RowSwitch::Name;

/// The module that contains a matrix: "model.layers.0.mlp" for "model.layers.0.mlp.up_proj.weight".
std::string_view holder_of(std::string_view name) { return module_of(without_weight(name)); }

std::string_view last_part(std::string_view name) {
  name = without_weight(name);
  return name.substr(name.rfind('.') + 1);
}

bool is_bias(const Row& row) { return row.name.ends_with("bias") && row.storage == StorageKind::vector; }

/// Marks the gate of gated feed-forward blocks: one of three matrices of equal size in a module, or half of a matrix that fuses gate and
/// up.
void mark_gates(const std::vector<Row>& rows, std::vector<Membership>& out) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto matrix = [&](const Row& row) {
      return row.in_text(Part::feed_forward) && row.kind == Kind::parameter && row.storage == StorageKind::matrix &&
             holder_of(row.name) == holder_of(rows[i].name);
    };
    if (!matrix(rows[i])) continue;
    const Count elements = rows[i].elements.peek();
    std::size_t alike = 0, halves = 0, others = 0, first = i, named = rows.size();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      // The search covers only the eight rows before and after, because the rows of a module are near each other.
      if (k + 8 < i || k > i + 8 || !matrix(rows[k])) continue;
      const Count other = rows[k].elements.peek();
      alike += other == elements ? 1U : 0U;
      halves += 2 * other == elements ? 1U : 0U;
      others += other != elements && 2 * other != elements ? 1U : 0U;
      if (other != elements) continue;
      first = std::min(first, k);
      if (named == rows.size() && (holds(last_part(rows[k].name), "gate") || last_part(rows[k].name) == "w1")) named = k;
    }
    if (others > 0) continue;
    if (alike == 3 && halves == 0 && i == (named < rows.size() ? named : first)) out[i].out |= bit(two_matrices);
    if (alike == 1 && halves == 1) out[i].fused_gate = true;
  }
}

Places place_of(const Row& row) { return row.in_text(Part::embedding) && row.storage != StorageKind::table ? beside_tables : place(row); }

/// The module of the model's final norm. If an encoder and a decoder both have one, the later one. Empty if there is none.
std::string_view final_norm_of(const std::vector<Row>& rows) {
  const std::vector<bool> final = final_norms(rows);
  for (std::size_t i = rows.size(); i-- > 0;)
    if (final[i] && rows[i].in_text(Part::norm) && rows[i].kind == Kind::parameter) return module_of(rows[i].name);
  return {};
}

std::uint32_t left_out_by(const Row& row, std::string_view last_norm) {
  std::uint32_t out = 0;
  if (row.in_text(Part::embedding) && (holds(row.name, "position") || holds(row.name, "wpe") || holds(row.name, "embed_pos")))
    out |= bit(positions);
  if (row.in_text(Part::norm)) out |= bit(norms);
  if (row.in_text(Part::norm) && !last_norm.empty() && module_of(row.name) == last_norm) out |= bit(final_norm);
  if (is_bias(row)) out |= bit(biases);
  if (row.in_text(Part::router)) out |= bit(router);
  return out;
}

std::vector<Membership> memberships(const std::vector<Row>& rows) {
  std::vector<Membership> out(rows.size());
  const std::string_view last_norm = final_norm_of(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    Membership& m = out[i];
    m.place = place_of(row);
    switch (row.kind) {
      case Kind::parameter:
        m.counted = Membership::parameter;
        m.out = left_out_by(row, last_norm);
        break;
      case Kind::buffer: m.counted = Membership::buffer; break;
      case Kind::tied:
        if (row.in_text(Part::output_head) && row.storage == StorageKind::table) m.in = bit(tied_head);
        break;
      case Kind::published: m.counted = Membership::published; [[fallthrough]];
      case Kind::possible:
        if (is_prediction(row)) m.in = bit(prediction_layers);
        if (is_scale(row) && row.kind == Kind::published) m.in = bit(scales);
        break;
    }
  }
  mark_gates(rows, out);
  return out;
}

/// The elements of a row or of a group of rows: all of them, those that one token uses, and those left with one expert per layer.
struct Shares {
  Count total, active, once;
};

Count counted(const Membership& m, const Shares& shares, const Scope& scope, std::uint32_t switches) {
  const bool usual = scope.beside ? m.counted == Membership::published
                                  : m.counted == Membership::parameter || (m.counted == Membership::buffer && scope.buffers) ||
                                        (m.counted == Membership::published && scope.published) ||
                                        ((m.in & bit(prediction_layers)) != 0 && scope.predicting);
  if ((m.place & scope.places) == 0 || (m.out & switches) != 0 || (!usual && (m.in & switches) == 0)) return 0;
  const Count value = scope.active ? shares.active : (switches & bit(experts_once)) != 0 ? shares.once : shares.total;
  return m.fused_gate && (switches & bit(two_matrices)) != 0 ? value / 2 : value;
}

Shares shares_of(const Row& row, bool one_copy) {
  const Count total = one_copy ? row.elements.peek() : row.total.peek();
  if (one_copy) return {total, total, total};
  return {total, row.active.peek(), row.experts ? total / row.experts.peek() : total};
}

bool in_subset(const Subset& subset, const Row& row) {
  return subset.names.empty() ||
         std::any_of(subset.names.begin(), subset.names.end(), [&](std::string_view name) { return holds(row.name, name); });
}

}  // namespace

RowTallies::RowTallies(const Model& model, const Subset& subset) {
  const std::vector<Row>& rows = model.builder.rows();
  const std::vector<Membership> of_rows = memberships(rows);
  Count everything = 0;  // every sum is part of this one, so only this one can overflow
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!in_subset(subset, rows[i])) continue;
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.membership == of_rows[i]; });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{of_rows[i], 0, 0, 0});
    const Shares shares = shares_of(rows[i], subset.one_copy);
    everything = add(everything, shares.total);
    group->total += shares.total;
    group->active += shares.active;
    group->once += shares.once;
  }
}

Count RowTallies::sum(const Scope& scope, std::uint32_t switches) const {
  Count out = 0;
  for (const Group& g : groups_) out += counted(g.membership, {g.total, g.active, g.once}, scope, switches);
  return out;
}

std::vector<RowShare> rows_of(const Model& model, const Scope& scope, std::uint32_t switches) {
  const std::vector<Row>& rows = model.builder.rows();
  const std::vector<Membership> of_rows = memberships(rows);
  std::vector<RowShare> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Shares shares = shares_of(rows[i], false);
    const Count usual = counted(of_rows[i], shares, {}, 0), now = counted(of_rows[i], shares, scope, switches);
    if (usual != now) out.push_back({std::string(rows[i].name), now, usual});
  }
  return out;
}

}  // namespace param_ledger
