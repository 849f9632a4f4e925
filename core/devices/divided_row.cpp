#include "core/devices/divided_row.hpp"

#include <algorithm>

#include "core/expr/walk.hpp"

namespace param_ledger {

namespace {

/// Whether each expert is a separate tensor, instead of all experts being stacked along the first dimension.
bool are_one_by_one(const Row& row) {
  return row.name.find("experts.[") != std::string_view::npos && !row.shape.empty() && !(row.shape[0] == row.experts);
}

}  // namespace

std::string_view spelling(Place place) {
  static constexpr std::string_view names[] = {"every", "layers", "first", "ends", "last"};
  return names[static_cast<std::size_t>(place)];
}

bool DividedRow::is_packed_pair() const {
  return (style == Style::packed_colwise || style == Style::packed_rowwise) && row->role == TensorRole::gate_and_up;
}

int DividedRow::divided_dimension() const {
  const int n = static_cast<int>(row->shape.size());
  switch (style) {
    case Style::replicate: return -1;
    case Style::colwise:
    case Style::colwise_gather_output:
    case Style::colwise_repeated:
    case Style::packed_colwise: return std::max(n - 2, 0);
    case Style::rowwise:
    case Style::rowwise_split_input:
    case Style::packed_rowwise:
    case Style::embedding_colwise: return n - 1;
    case Style::embedding_rowwise: return 0;
    case Style::grouped_gemm: break;
  }
  return are_one_by_one(*row) ? -1 : 0;
}

Expr DividedRow::padded_size(int dimension) const {
  return padded && dimension == 0 ? padded : row->shape[static_cast<std::size_t>(dimension)];
}

Count DividedRow::padded_elements() const {
  const Count elements = row->total.decide();
  return padded ? multiply(elements / row->shape[0].decide(), padded.decide()) : elements;
}

Divisible divisible_in(const DividedRow& row, int dimension) {
  const TensorRole role = row.row->role;
  Divisible out{row.padded_size(dimension), {}, {}};
  if (is_of_heads(role) || role == TensorRole::output) out.heads = heads_in(out.size);
  const Expr name = out.heads ? out.heads : largest_named(out.size);
  out.field = name ? std::string(name.name().name) : std::string(row.row->name);
  return out;
}

Expr heads_in(Expr e) {
  if (e.op() == Op::name) {
    const std::string_view name = e.name().name;
    return holds(name, "heads") || name.ends_with("n_head") || name.ends_with("head_kv") ? e : Expr{};
  }
  if (e.op() != Op::product) return {};
  const Expr left = heads_in(e.left());
  return left ? left : heads_in(e.right());
}

bool is_of_heads(TensorRole role) {
  switch (role) {
    case TensorRole::query:
    case TensorRole::key:
    case TensorRole::value:
    case TensorRole::query_key_value:
    case TensorRole::query_up:
    case TensorRole::key_value_up:
    case TensorRole::attention_gate: return true;
    default: return false;
  }
}

std::string divisors_beside(Count of, Count wanted) {
  Count below = 1, above = 0;
  for (Count d = 1; d < wanted; ++d)
    if (of % d == 0) below = d;
  for (Count d = wanted + 1; d <= of && d <= wanted * 64 && above == 0; ++d)
    if (of % d == 0) above = d;
  return above == 0 ? digits(below) : concat({digits(below), " and ", digits(above)});
}

}  // namespace param_ledger
