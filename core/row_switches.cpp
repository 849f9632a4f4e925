#include "core/row_switches.hpp"

#include <algorithm>

#include "core/prediction_layers.hpp"
#include "core/quantized_files.hpp"
#include "core/text.hpp"
#include "core/totals.hpp"

namespace param_ledger {

const RowSwitch row_switches[row_switch_count] = {
    {"output_head", "output head", 1},
    {"embeddings", "embeddings", 1},
    {"active_only", "experts that a token is not routed to", 1},
    {"tied_head", "tied head counted again", 1},
    {"final_norm", "final norm", 2},
    {"norms", "norms", 2},
    {"biases", "biases", 2},
    {"positions", "position embeddings", 2},
    {"buffers", "buffers", 2},
    {"prediction_layers", "prediction layers", 2},
    {"scales", "quantization scales", 2},
    {"router", "router", 3},
    {"two_matrices", "third matrix of the feed-forward", 3, true},
    {"experts_once", "experts but one of each layer", 4},
};

namespace {

using enum RowSwitch::Name;

/// How the switches see one row.
struct Membership {
  std::uint32_t out = 0;    ///< switches that leave it out
  std::uint32_t in = 0;     ///< switches that count it, where it is no parameter
  bool parameter = false;   ///< counted without any switch
  bool fused_gate = false;  ///< half of it is the third matrix
  friend bool operator==(const Membership&, const Membership&) = default;
};

/// A name without its last part and without `.weight`: the module that holds a matrix.
std::string_view module_of(std::string_view name) {
  if (name.ends_with(".weight")) name.remove_suffix(7);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
}

std::string_view last_part(std::string_view name) {
  if (name.ends_with(".weight")) name.remove_suffix(7);
  return name.substr(name.rfind('.') + 1);
}

bool is_bias(const Row& row) { return row.name.ends_with("bias") && row.role == Role::vector; }

/// Marks the third matrix of gated feed-forwards: one of three alike in a module, or the half of a matrix of twice the size.
void mark_gates(const std::vector<Row>& rows, std::vector<Membership>& out) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto matrix = [&](const Row& row) {
      return row.part == Part::feed_forward && row.kind == Kind::parameter && row.role == Role::matrix &&
             module_of(row.name) == module_of(rows[i].name);
    };
    if (!matrix(rows[i])) continue;
    const Count elements = rows[i].elements.value();
    std::size_t alike = 0, halves = 0, others = 0, first = i, named = rows.size();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      // The rows of one module stand close together.
      if (k + 8 < i || k > i + 8 || !matrix(rows[k])) continue;
      const Count other = rows[k].elements.value();
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

std::vector<Membership> memberships(const std::vector<Row>& rows) {
  std::vector<Membership> out(rows.size());
  std::size_t last_norm = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].part == Part::norm && rows[i].kind == Kind::parameter && rows[i].repeats.empty()) last_norm = i;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    Membership& m = out[i];
    if (row.kind == Kind::parameter) {
      m.parameter = true;
      if (row.part == Part::output_head) m.out |= bit(output_head);
      if (row.part == Part::embedding) m.out |= bit(embeddings);
      if (row.part == Part::embedding && (holds(row.name, "position") || holds(row.name, "wpe") || holds(row.name, "embed_pos")))
        m.out |= bit(positions);
      if (row.part == Part::norm) m.out |= bit(norms);
      if (last_norm < rows.size() && row.part == Part::norm && row.repeats.empty() &&
          module_of(row.name) == module_of(rows[last_norm].name) &&
          (i == last_norm || row.name.substr(0, row.name.rfind('.')) == rows[last_norm].name.substr(0, rows[last_norm].name.rfind('.'))))
        m.out |= bit(final_norm);
      if (is_bias(row)) m.out |= bit(biases);
      if (row.part == Part::router) m.out |= bit(router);
    } else if (row.kind == Kind::buffer) {
      m.in |= bit(buffers);
    } else if (row.kind == Kind::tied) {
      if (row.part == Part::output_head && row.role == Role::table) m.in |= bit(tied_head);
    } else if (is_scale(row)) {
      if (row.kind == Kind::published) m.in |= bit(scales);
    } else if (is_prediction(row)) {
      m.in |= bit(prediction_layers);
    }
  }
  mark_gates(rows, out);
  return out;
}

/// What is counted of a row or of several alike.
struct Shares {
  Count total = 0, active = 0, once = 0;
};

Count counted(const Membership& m, const Shares& shares, std::uint32_t switches) {
  if ((m.out & switches) != 0 || (!m.parameter && (m.in & switches) == 0)) return 0;
  const Count value = (switches & bit(active_only)) != 0 ? shares.active : (switches & bit(experts_once)) != 0 ? shares.once : shares.total;
  return m.fused_gate && (switches & bit(two_matrices)) != 0 ? value / 2 : value;
}

Shares shares_of(const Row& row, bool one_copy) {
  const Count total = one_copy ? row.elements.value() : row.total.value();
  if (one_copy) return {total, total, total};
  return {total, row.active.value(), row.experts ? total / row.experts.value() : total};
}

bool in_subset(const Subset& subset, const Row& row) {
  return subset.names.empty() ||
         std::any_of(subset.names.begin(), subset.names.end(), [&](std::string_view name) { return holds(row.name, name); });
}

}  // namespace

std::vector<Count> row_sums(const Model& model, const Subset& subset, const std::vector<std::uint32_t>& sets) {
  struct Atom {
    Membership membership;
    Shares shares;
  };
  const std::vector<Row>& rows = model.builder.rows();
  const std::vector<Membership> of_rows = memberships(rows);
  std::vector<Atom> atoms;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!in_subset(subset, rows[i])) continue;
    auto atom = std::find_if(atoms.begin(), atoms.end(), [&](const Atom& a) { return a.membership == of_rows[i]; });
    if (atom == atoms.end()) atom = atoms.insert(atoms.end(), Atom{of_rows[i], {}});
    const Shares shares = shares_of(rows[i], subset.one_copy);
    atom->shares = {add(atom->shares.total, shares.total), add(atom->shares.active, shares.active), add(atom->shares.once, shares.once)};
  }
  std::vector<Count> out;
  for (const std::uint32_t set : sets) {
    Count sum = 0;
    for (const Atom& atom : atoms) sum = add(sum, counted(atom.membership, atom.shares, set));
    out.push_back(sum);
  }
  return out;
}

std::vector<RowShare> rows_of(const Model& model, std::uint32_t switches) {
  const std::vector<Row>& rows = model.builder.rows();
  const std::vector<Membership> of_rows = memberships(rows);
  std::vector<RowShare> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Shares shares = shares_of(rows[i], false);
    const Count usual = counted(of_rows[i], shares, 0), now = counted(of_rows[i], shares, switches);
    if (usual != now) out.push_back({std::string(rows[i].name), now, usual});
  }
  return out;
}

}  // namespace param_ledger
