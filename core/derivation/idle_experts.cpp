#include "core/derivation/idle_experts.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

void factors_of(Expr e, std::vector<Expr>& out) {
  if (e.op() != Op::product) return out.push_back(e);
  factors_of(e.left(), out);
  factors_of(e.right(), out);
}

Expr product_of(Pool& pool, const std::vector<Expr>& factors) {
  Expr out = pool.literal(1);
  for (const Expr e : factors) out = out * e;
  return out;
}

}  // namespace

IdleExperts idle_experts(Pool& pool, const Row& row) {
  std::vector<Expr> all, used, shared;
  factors_of(row.total, all);
  factors_of(row.active, used);
  for (auto e = used.begin(); e != used.end();) {
    const auto same = std::find(all.begin(), all.end(), *e);
    if (same == all.end()) {
      ++e;
      continue;
    }
    shared.push_back(*e);
    all.erase(same);
    e = used.erase(e);
  }
  IdleExperts out{product_of(pool, all), product_of(pool, used), {}, {}};
  for (const Expr e : row.repeats) {
    const auto same = std::find(shared.begin(), shared.end(), e);
    if (same == shared.end()) continue;
    out.repeats.push_back(e);
    shared.erase(same);
  }
  out.elements = product_of(pool, shared);
  return out;
}

}  // namespace param_ledger
