#include "core/search/tape.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

using Value = Tape::Value;
constexpr Value largest = Tape::largest;

Value plus(Value a, Value b) { return a > largest - b ? largest : a + b; }

Value times(Value a, Value b) {
  constexpr Value small = Value{1} << 32U;
  if (a < small && b < small) return a * b;
  return b != 0 && a > largest / b ? largest : a * b;
}

Value raised(Value a, Value exponent) {
  Value out = 1;
  for (; exponent > 0 && out != largest && (out != 0 || a != 0); --exponent) out = times(out, a);
  return out;
}

// For values and upper bounds. Negative differences and divisions by zero may give any result, because families refuse such configurations.
Value minus(Value a, Value b) { return a == largest ? a : a < b ? 0 : a - b; }
Value quotient(Value a, Value b) { return a == largest || b == 0 ? largest : a / b; }
Value quotient_up(Value a, Value b) { return a == largest || b == 0 ? largest : a / b + (a % b != 0 ? 1 : 0); }

// For lower bounds. An unknown `b` may be arbitrarily large.
Value least_minus(Value a, Value b) { return b == largest || a < b ? 0 : a - b; }
Value least_quotient(Value a, Value b) { return b == largest || b == 0 ? 0 : a / b; }
Value least_quotient_up(Value a, Value b) { return b == largest || b == 0 ? 0 : a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

Tape::Step Tape::literal(Count value) { return append({Op::literal, 0, 0, 0, value > largest ? largest : static_cast<Value>(value)}); }

Tape::Step Tape::variable(unsigned number) { return append({Op::name, static_cast<VariableSet>(1U << number), number, 0, 0}); }

Tape::Step Tape::operation(Op op, Step a, Step b) {
  return append({op, static_cast<VariableSet>(steps_[a].depends | steps_[b].depends), a, b, 0});
}

const Tape::Step* Tape::known(Expr e) const {
  const auto is_same = [&](std::size_t i) { return known_[i].first == e.node(); };
  const std::size_t place = index_.find(mixed(0, e.node()->rank), known_.size(), is_same);
  return place < known_.size() ? &known_[place].second : nullptr;
}

void Tape::learn(Expr e, Step step) {
  index_.find_or_add(mixed(0, e.node()->rank), known_.size(), [](std::size_t) { return false; });
  known_.emplace_back(e.node(), step);
}

Tape::Step Tape::add(Expr whole) {
  // Uses a list instead of recursion, because a total may have 10,000 summands.
  std::vector<Expr> pending{whole};
  while (!pending.empty()) {
    const Expr e = pending.back();
    // If an operand is not on the tape yet, it is added first.
    const auto step_of = [&](Expr operand) {
      const Step* const step = known(operand);
      if (step == nullptr) pending.push_back(operand);
      return step;
    };
    if (known(e) != nullptr) {
      pending.pop_back();
    } else if (e.node()->varies == 0) {
      learn(e, literal(e.peek()));
    } else if (e.op() == Op::name) {
      const auto named = std::find_if(names_.begin(), names_.end(), [&](const auto& name) { return name.first == e.node(); });
      if (named != names_.end())
        learn(e, named->second);
      else if (const Step* const step = step_of(e.name().definition))
        learn(e, *step);
    } else if (const Step* const left = step_of(e.left())) {
      const Step a = *left;
      if (const Step* const right = step_of(e.right())) learn(e, operation(e.op(), a, *right));
    }
  }
  return *known(whole);
}

void Tape::evaluate(std::span<const Value> variables, std::vector<Value>& values, std::size_t steps) const {
  values.resize(steps_.size());
  for (std::size_t i = 0; i < steps; ++i) {
    const Entry& s = steps_[i];
    const auto a = [&] { return values[s.a]; };
    const auto b = [&] { return values[s.b]; };
    switch (s.op) {
      case Op::literal: values[i] = s.literal; break;
      case Op::name: values[i] = variables[s.a]; break;
      case Op::sum: values[i] = plus(a(), b()); break;
      case Op::difference: values[i] = minus(a(), b()); break;
      case Op::product: values[i] = times(a(), b()); break;
      case Op::power: values[i] = raised(a(), b()); break;
      case Op::quotient:
      case Op::floor: values[i] = quotient(a(), b()); break;
      case Op::ceil: values[i] = quotient_up(a(), b()); break;
    }
  }
}

void Tape::bound(std::span<const Value> least, std::span<const Value> most, std::vector<Value>& low, std::vector<Value>& high,
                 std::size_t steps) const {
  low.resize(steps_.size());
  high.resize(steps_.size());
  for (std::size_t i = 0; i < steps; ++i) {
    const Entry& s = steps_[i];
    Value& l = low[i];
    Value& h = high[i];
    switch (s.op) {
      case Op::literal: l = h = s.literal; break;
      case Op::name:
        l = least[s.a];
        h = most[s.a];
        break;
      case Op::sum:
        l = plus(low[s.a], low[s.b]);
        h = plus(high[s.a], high[s.b]);
        break;
      case Op::difference:
        l = least_minus(low[s.a], high[s.b]);
        h = minus(high[s.a], low[s.b]);
        break;
      case Op::product:
        l = times(low[s.a], low[s.b]);
        h = times(high[s.a], high[s.b]);
        break;
      case Op::power:
        l = raised(low[s.a], low[s.b]);
        h = raised(high[s.a], high[s.b]);
        break;
      case Op::quotient:
      case Op::floor:
        l = least_quotient(low[s.a], high[s.b]);
        h = quotient(high[s.a], std::max<Value>(low[s.b], 1));
        break;
      case Op::ceil:
        l = least_quotient_up(low[s.a], high[s.b]);
        h = quotient_up(high[s.a], std::max<Value>(low[s.b], 1));
        break;
    }
  }
}

unsigned Tape::degree(Step step, unsigned variable) const {
  // Computes the degrees of all steps in order, because formulas share steps.
  std::vector<unsigned> degrees(step + 1);
  for (std::size_t i = 0; i <= step; ++i) {
    const Entry& s = steps_[i];
    if ((s.depends >> variable & 1U) == 0) continue;
    switch (s.op) {
      case Op::literal: break;
      case Op::name: degrees[i] = 1; break;
      case Op::sum:
      case Op::difference: degrees[i] = std::max(degrees[s.a], degrees[s.b]); break;
      case Op::product: degrees[i] = std::min(degrees[s.a] + degrees[s.b], not_polynomial); break;
      case Op::power:
        degrees[i] = degrees[s.b] != 0 ? not_polynomial
                                       : static_cast<unsigned>(std::min<Value>(times(degrees[s.a], steps_[s.b].literal), not_polynomial));
        break;
      default: degrees[i] = not_polynomial;
    }
  }
  return degrees[step];
}

}  // namespace param_ledger
