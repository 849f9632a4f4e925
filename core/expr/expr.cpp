#include "core/expr/expr.hpp"

#include <algorithm>
#include <utility>

#include "core/support/error.hpp"

namespace param_ledger {

namespace {

/// Throws Error{unsupported} for an empty expression. A family may use a dimension of a nested model whose model type, chosen by the
/// configuration, has no such dimension.
void require(Expr e) {
  if (!e)
    throw Error{ErrorCode::unsupported, "", "A nested model lacks a size that this model needs. Use another model_type in that section."};
}
void require(Expr a, Expr b) {
  require(a);
  require(b);
}

Expr make(Op op, Count value, Expr a, Expr b) { return a.node()->pool->make(op, value, a.node(), b.node()); }

/// ⌊a ÷ b⌋, in 64 bits where possible: 128-bit division is a slow library call in WebAssembly.
Count divided(Count a, Count b) {
  constexpr Count small = ~std::uint64_t{0};
  return a <= small && b <= small ? Count{static_cast<std::uint64_t>(a) / static_cast<std::uint64_t>(b)} : a / b;
}

bool divides(Count b, Count a) { return b != 0 && divided(a, b) * b == a; }

bool holds(Relation relation, Expr a, Expr b) {
  require(a, b);
  switch (relation) {
    case Relation::less: return a.peek() < b.peek();
    case Relation::equal: return a.peek() == b.peek();
    case Relation::multiple: return divides(b.peek(), a.peek());
  }
  return false;
}

void tell(const Decision& decision) {
  if ((decision.a.node()->varies | decision.b.node()->varies) == 0) return;
  if (DecisionObserver* const observer = decision.a.node()->pool->observer()) observer->on_decision(decision);
}

bool told(Relation relation, Expr a, Expr b) {
  const bool out = holds(relation, a, b);
  tell({relation, a, b, out});
  return out;
}

}  // namespace

void notice(const Node& node) {
  if (DecisionObserver* const observer = node.pool->observer()) observer->on_read(node.varies);
}

bool less(Expr a, Expr b) { return told(Relation::less, a, b); }
bool equal(Expr a, Expr b) { return a == b || told(Relation::equal, a, b); }
bool is_multiple(Expr a, Expr b) { return told(Relation::multiple, a, b); }
bool equal(Expr a, Count b) {
  require(a);
  return a.node()->varies == 0 ? a.peek() == b : equal(a, a.node()->pool->literal(b));
}

bool meets(Relation relation, Expr a, Expr b, bool demand) {
  const bool met = holds(relation, a, b) == demand;
  tell({relation, a, b, demand, true, met});
  return met;
}

namespace {

void require_divisor(Expr b) {
  require(b);
  const bool zero = b.node()->varies == 0 ? b.peek() == 0 : !meets(Relation::equal, b, b.node()->pool->literal(0), false);
  if (zero) throw Error{ErrorCode::out_of_range, "", "Division by zero."};
}

}  // namespace

Expr operator+(Expr a, Expr b) {
  require(a, b);
  if (a.is_literal(0)) return b;
  if (b.is_literal(0)) return a;
  return make(Op::sum, add(a.peek(), b.peek()), a, b);
}

Expr operator-(Expr a, Expr b) {
  if (!meets(Relation::less, a, b, false)) throw Error{ErrorCode::out_of_range, "", "A dimension would be negative."};
  if (b.is_literal(0)) return a;
  return make(Op::difference, a.peek() - b.peek(), a, b);
}

Expr operator*(Expr a, Expr b) {
  require(a, b);
  if (a.is_literal(1)) return b;
  if (b.is_literal(1)) return a;
  return make(Op::product, multiply(a.peek(), b.peek()), a, b);
}

Expr operator+(Expr a, std::uint64_t b) {
  require(a);
  return a + a.node()->pool->literal(b);
}
Expr operator-(Expr a, std::uint64_t b) {
  require(a);
  return a - a.node()->pool->literal(b);
}
Expr operator*(std::uint64_t a, Expr b) {
  require(b);
  return b.node()->pool->literal(a) * b;
}

Expr floor_divide(Expr a, Expr b) {
  require(a);
  require_divisor(b);
  const Count quotient = divided(a.peek(), b.peek());
  return make(quotient * b.peek() == a.peek() ? Op::quotient : Op::floor, quotient, a, b);
}

Expr ceil_divide(Expr a, Expr b) {
  require(a);
  require_divisor(b);
  const Count quotient = divided(a.peek(), b.peek());
  return make(Op::ceil, quotient + (quotient * b.peek() == a.peek() ? 0U : 1U), a, b);
}

Expr power(Expr a, std::uint64_t exponent) {
  require(a);
  Count value = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) value = multiply(value, a.peek());
  return make(Op::power, value, a, a.node()->pool->literal(exponent));
}

Pool::Pool() = default;
Pool::~Pool() = default;

Expr Pool::named(Name name, Count value, std::string_view path) {
  name.index = static_cast<std::uint32_t>(names_.size());
  name_index_.intern(name.name, names_.size(), [&](std::size_t i) -> std::string_view { return names_[i].name; });
  const std::uint64_t rank = std::uint64_t{name.order} << 32U | name.index;
  const Name& kept = names_.emplace_back(std::move(name));
  Node& node = append();
  node = {Op::name, kept.definition ? kept.definition.node()->varies : VariableSet{}, rank, value, nullptr, nullptr, &kept, this};
  const Expr out = exprs_.emplace_back(&node);
  if (observer_ != nullptr && !path.empty()) node.varies = static_cast<VariableSet>(node.varies | observer_->on_name(out, path));
  return out;
}

Expr Pool::find(std::string_view name) const {
  const std::size_t place = name_index_.find(name, exprs_.size(), [&](std::size_t i) -> std::string_view { return names_[i].name; });
  return place < exprs_.size() ? exprs_[place] : Expr{};
}

Expr Pool::make(Op op, Count value, const Node* left, const Node* right) {
  constexpr std::uint64_t after_names = std::uint64_t{1} << 48U;
  const bool literal = op == Op::literal;
  const std::uint64_t first = literal ? static_cast<std::uint64_t>(value >> 64U) : left->rank;
  const std::uint64_t second = literal ? static_cast<std::uint64_t>(value) : right->rank;
  const std::uint32_t hash = mixed(mixed(static_cast<std::uint32_t>(op), first), second);
  const std::size_t place = index_.find_or_add(hash, size_, [&](std::size_t known) {
    const Node& node = *at(known);
    return node.op == op && node.left == left && node.right == right && node.value == value;
  });
  if (place < size_) return Expr(at(place));
  Node& node = append();
  node = {op,
          literal ? VariableSet{} : static_cast<VariableSet>(left->varies | right->varies),
          after_names | place,
          value,
          left,
          right,
          nullptr,
          this};
  return Expr(&node);
}

std::byte* Pool::bytes(std::size_t size) {
  constexpr std::size_t block = 8192;
  size = (size + aligned - 1) / aligned * aligned;
  if (static_cast<std::size_t>(end_ - next_) < size) {
    const std::size_t whole = std::max(size, block);
    next_ = blocks_.emplace_back(new std::byte[whole]).get();
    end_ = next_ + whole;
  }
  return std::exchange(next_, next_ + size);
}

void Pool::demand_multiple(Expr dividend, Expr divisor) {
  const std::pair<Expr, Expr> pair{dividend, divisor};
  if (std::find(demanded_.begin(), demanded_.end(), pair) == demanded_.end()) demanded_.push_back(pair);
}

Node& Pool::append() {
  if (size_ % chunk == 0) chunks_.emplace_back(new Node[chunk]);
  return chunks_.back()[size_++ % chunk];
}

}  // namespace param_ledger
