#pragma once

#include <vector>

#include "core/expr/expr.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// Visits the nodes of an expression from left to right, operands before their operation. An operation that occurs several times is visited
/// only once, with its operands. A name or a literal is visited each time that it is an operand of a visited operation. Stops when
/// `visit(e)` returns true, and returns whether it did. Not recursive, because a sum may have one summand per layer. Definitions of names
/// are not visited.
template <class Visit>
bool walk(Expr whole, const Visit& visit) {
  struct Pending {
    Expr expr;
    bool operands_done;
  };
  const auto is_leaf = [](Expr e) { return e.op() == Op::name || e.op() == Op::literal; };
  if (is_leaf(whole)) return visit(whole);
  std::vector<Pending> pending{{whole, false}};
  std::vector<const Node*> seen;
  HashIndex index(8);
  while (!pending.empty()) {
    const auto [e, operands_done] = pending.back();
    pending.pop_back();
    if (is_leaf(e) || operands_done) {
      if (visit(e)) return true;
      continue;
    }
    const Node* const node = e.node();
    if (index.find_or_add(mixed(0, node->rank), seen.size(), [&](std::size_t i) { return seen[i] == node; }) < seen.size()) continue;
    seen.push_back(node);
    pending.push_back({e, true});
    pending.push_back({e.right(), false});
    pending.push_back({e.left(), false});
  }
  return false;
}

/// The name with the largest value in an expression; empty if there is none.
inline Expr largest_named(Expr whole) {
  Expr out;
  walk(whole, [&](Expr e) {
    if (e.op() == Op::name && (!out || e.peek() > out.peek())) out = e;
    return false;
  });
  return out;
}

}  // namespace param_ledger
