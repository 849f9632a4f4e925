#include "core/inputs/fit/fit_equations.hpp"

#include <algorithm>

#include "core/expr/walk.hpp"
#include "core/json/value_text.hpp"
#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Powers with larger exponents equal the base, or are too large to be counts.
constexpr Count most_bits = 64;

/// The result of an operation on two counts; none if it is not a non-negative integer.
std::optional<Count> applied(Op op, Count a, Count b) {
  switch (op) {
    case Op::sum: return add(a, b);
    case Op::difference: return a >= b ? std::optional(a - b) : std::nullopt;
    case Op::product: return multiply(a, b);
    case Op::quotient: return b != 0 && a % b == 0 ? std::optional(a / b) : std::nullopt;
    case Op::floor: return b != 0 ? std::optional(a / b) : std::nullopt;
    case Op::ceil: return b != 0 ? std::optional((a + b - 1) / b) : std::nullopt;
    case Op::power: {
      Count out = 1;
      for (Count i = 0; i < std::min(b, most_bits); ++i) out = multiply(out, a);
      return out;
    }
    case Op::literal:
    case Op::name: break;
  }
  return {};
}

/// The integer that, raised to `exponent`, gives `value`; none if there is no such integer.
std::optional<Count> root(Count value, Count exponent) {
  constexpr Count most = Count{1} << 40U;
  Count low = 0, high = std::min(value, most);
  while (low < high) {
    const Count middle = (low + high + 1) / 2;
    Count power = 1;
    bool above = false;
    for (Count i = 0; i < std::min(exponent, most_bits) && !above; ++i) above = (power = power * middle) > value;
    if (above)
      high = middle - 1;
    else
      low = middle;
  }
  return applied(Op::power, low, exponent) == value ? std::optional(low) : std::nullopt;
}

/// The left operand for which the operation with `right` gives `value`. For a rounded division there are several: returns `value` ×
/// `right`, or none if `exact`.
std::optional<Count> left_of(Op op, Count value, Count right, bool exact) {
  switch (op) {
    case Op::sum: return value >= right ? std::optional(value - right) : std::nullopt;
    case Op::difference: return add(value, right);
    case Op::product: return right != 0 && value % right == 0 ? std::optional(value / right) : std::nullopt;
    case Op::quotient: return multiply(value, right);
    case Op::floor:
    case Op::ceil: return exact ? std::nullopt : std::optional(multiply(value, right));
    case Op::power: return root(value, right);
    default: return {};
  }
}
/// The right operand for which the operation with `left` gives `value`.
std::optional<Count> right_of(Op op, Count value, Count left, bool exact) {
  switch (op) {
    case Op::sum:
    case Op::product: return left_of(op, value, left, exact);
    case Op::difference: return left >= value ? std::optional(left - value) : std::nullopt;
    case Op::quotient: return value != 0 && left % value == 0 ? std::optional(left / value) : std::nullopt;
    case Op::floor:
    case Op::ceil: return !exact && value != 0 && left % value == 0 ? std::optional(left / value) : std::nullopt;
    default: return {};
  }
}

/// Whether the name is an input from the configuration: a field, or an entry of a list.
bool is_set(Expr name) { return name.name().field || name.name().name.ends_with(']'); }
/// The definition of a derived count; empty for any other expression.
Expr behind(Expr e) { return e.op() == Op::name && !is_set(e) ? e.name().definition : Expr(); }

}  // namespace

Equations::Equations(const Model& model, const PrintedMatch& match, const std::vector<ListedRow>& rows, const Settings& assumed)
    : model_(model) {
  // Equations with a single name on one side come first, because these names are factors in other dimensions.
  for (const bool products : {false, true, true}) {
    products_ = products;
    if (products)
      for (const Edit& s : assumed.list())
        if (const Expr name = model.pool.find(s.path); name && digits(name.peek()) == s.json) learn(name, name.peek());
    for (const PrintedMatch::List& list : match.lists) {
      // The name that gives the list's length occurs in the repeat count of this row.
      std::vector<Expr> names;
      fields_of(model.builder.rows()[list.expected].repeats.front(), names);
      for (const Expr name : names)
        if (name.peek() == list.length) equate(name, list.printed);
    }
    for (const PrintedMatch::Pair& pair : match.pairs) {
      const Row& expected = model.builder.rows()[pair.expected];
      const ListedRow& listed = rows[pair.listed];
      for (std::size_t i = 0; i < pair.counts.size(); ++i) equate(expected.repeats[i], pair.counts[i]);
      if (listed.shape.size() != expected.shape.size() || listed.kind == ListedKind::packed) continue;
      for (std::size_t i = 0; i < listed.shape.size(); ++i) {
        Expr dim = expected.shape[i];
        if (i == 0)
          for (const std::size_t other : pair.joined) dim = dim + model.builder.rows()[other].shape.front();
        equate(dim, listed.shape[i]);
      }
    }
  }
}

const Count* Equations::find(Expr e) const {
  const std::size_t at = index_.find(static_cast<std::uint32_t>(e.node()->rank * 0x9e3779b1U), known_.size(),
                                     [&](std::size_t i) { return known_[i].first == e; });
  return at < known_.size() ? &known_[at].second : nullptr;
}

void Equations::learn(Expr e, Count value) {
  const std::size_t at = index_.find_or_add(static_cast<std::uint32_t>(e.node()->rank * 0x9e3779b1U), known_.size(),
                                            [&](std::size_t i) { return known_[i].first == e; });
  if (at == known_.size()) known_.emplace_back(e, value);
}

std::optional<Count> Equations::value(Expr e) const {
  if (e.op() == Op::literal) return e.peek();
  if (const Count* const known = find(e)) return *known;
  if (e.op() == Op::name) {
    if (is_set(e)) return {};
    return e.name().definition ? value(e.name().definition) : e.peek();
  }
  const std::optional<Count> left = value(e.left()), right = value(e.right());
  return left && right ? applied(e.op(), *left, *right) : std::nullopt;
}

void Equations::equate(Expr e, Count value) {
  if (e.op() == Op::literal) return;
  const bool again = find(e) != nullptr;
  if (!again) learn(e, value);
  if (e.op() == Op::name) {
    if (const Expr definition = behind(e)) equate(definition, value);
    return;
  }
  if (!products_) return;
  if (const std::optional<Count> right = this->value(e.right()))
    if (const std::optional<Count> left = left_of(e.op(), value, *right, true); left && !this->value(e.left())) equate(e.left(), *left);
  if (const std::optional<Count> left = this->value(e.left()))
    if (const std::optional<Count> right = right_of(e.op(), value, *left, true); right && !this->value(e.right()))
      equate(e.right(), *right);
}

Settings Equations::settings() const {
  Settings out;
  for (const auto& [e, value] : known_) {
    if (e.op() != Op::name || !is_set(e)) continue;
    const std::string& name = e.name().name;
    const std::size_t bracket = name.find('[');
    if (bracket == std::string::npos) {
      out.set(name, digits(value));
      continue;
    }
    // An entry cannot be set alone, so the whole list is set. Entries that the text does not determine keep the model's values.
    const std::string list = name.substr(0, bracket);
    if (out.has(list)) continue;
    std::vector<std::uint64_t> entries;
    while (const Expr entry = model_.pool.find(concat({list, "[", digits(entries.size()), "]"}))) {
      const Count* const known = find(entry);
      entries.push_back(static_cast<std::uint64_t>(known != nullptr ? *known : entry.peek()));
    }
    out.set(list, integers_text(entries));
  }
  return out;
}

void Equations::unknown(Expr e, std::vector<Expr>& out) const {
  if (value(e)) return;
  if (e.op() == Op::name) {
    if (const Expr definition = behind(e)) return unknown(definition, out);
    if (std::find(out.begin(), out.end(), e) == out.end()) out.push_back(e);
    return;
  }
  unknown(e.left(), out);
  unknown(e.right(), out);
}

std::optional<Count> solved(Expr e, Count value, Expr name) {
  if (e == name) return value;
  if (e.op() == Op::literal) return {};
  if (e.op() == Op::name) return e.name().definition ? solved(e.name().definition, value, name) : std::nullopt;
  if (const std::optional<Count> left = left_of(e.op(), value, e.right().peek(), false))
    if (const std::optional<Count> out = solved(e.left(), *left, name)) return out;
  if (const std::optional<Count> right = right_of(e.op(), value, e.left().peek(), false)) return solved(e.right(), *right, name);
  return {};
}

void fields_of(Expr whole, std::vector<Expr>& out) {
  walk(whole, [&](Expr e) {
    if (e.op() != Op::name) return false;
    if (is_set(e) && std::find(out.begin(), out.end(), e) == out.end()) out.push_back(e);
    if (e.name().definition) fields_of(e.name().definition, out);
    return false;
  });
}

}  // namespace param_ledger
