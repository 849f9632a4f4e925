#include "core/expr.hpp"

#include <utility>

#include "core/error.hpp"

namespace param_ledger {

namespace {

Expr make(Op op, Count value, Expr a, Expr b) { return a.node()->pool->make({op, value, a.node(), b.node(), nullptr, a.node()->pool}); }

}  // namespace

Expr operator+(Expr a, Expr b) {
  if (a.is_literal(0)) return b;
  if (b.is_literal(0)) return a;
  return make(Op::sum, add(a.value(), b.value()), a, b);
}

Expr operator-(Expr a, Expr b) {
  if (b.value() > a.value()) throw Error{ErrorCode::out_of_range, "", "A dimension would be negative."};
  if (b.is_literal(0)) return a;
  return make(Op::difference, a.value() - b.value(), a, b);
}

Expr operator*(Expr a, Expr b) {
  if (a.is_literal(1)) return b;
  if (b.is_literal(1)) return a;
  return make(Op::product, multiply(a.value(), b.value()), a, b);
}

Expr operator+(Expr a, std::uint64_t b) { return a + a.node()->pool->literal(b); }
Expr operator-(Expr a, std::uint64_t b) { return a - a.node()->pool->literal(b); }
Expr operator*(std::uint64_t a, Expr b) { return b.node()->pool->literal(a) * b; }

bool operator==(Expr a, Expr b) {
  if (a.node_ == b.node_) return true;
  if (a.node_ == nullptr || b.node_ == nullptr || a.op() != b.op() || a.value() != b.value()) return false;
  if (a.op() == Op::literal) return true;
  if (a.op() == Op::name) return &a.name() == &b.name();
  return a.left() == b.left() && a.right() == b.right();
}

Expr floor_divide(Expr a, Expr b) {
  if (b.value() == 0) throw Error{ErrorCode::out_of_range, "", "A division by zero."};
  const Op op = a.value() % b.value() == 0 ? Op::quotient : Op::floor;
  return make(op, a.value() / b.value(), a, b);
}

Expr ceil_divide(Expr a, Expr b) {
  if (b.value() == 0) throw Error{ErrorCode::out_of_range, "", "A division by zero."};
  const bool exact = a.value() % b.value() == 0;
  return make(exact ? Op::quotient : Op::ceil, a.value() / b.value() + (exact ? 0U : 1U), a, b);
}

Expr power(Expr a, std::uint64_t exponent) {
  Count value = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) value = multiply(value, a.value());
  return make(Op::power, value, a, a.node()->pool->literal(exponent));
}

Expr Pool::named(Name name, Count value) {
  const Name& kept = names_.emplace_back(std::move(name));
  return exprs_.emplace_back(make({Op::name, value, nullptr, nullptr, &kept, this}));
}

Expr Pool::find(std::string_view name) const {
  for (const Expr e : exprs_)
    if (e.name().name == name) return e;
  return {};
}

}  // namespace param_ledger
