#include "core/tape.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

using Value = std::uint64_t;

Value plus(Value a, Value b) { return a > Tape::largest - b ? Tape::largest : a + b; }
Value minus(Value a, Value b) { return a == Tape::largest ? a : a < b ? 0 : a - b; }

Value times(Value a, Value b) {
  constexpr Value small = Value{1} << 32U;
  if (a < small && b < small) return a * b;
  return b != 0 && a > Tape::largest / b ? Tape::largest : a * b;
}

Value raised(Value a, Value exponent) {
  Value out = 1;
  for (; exponent > 0; --exponent) out = times(out, a);
  return out;
}

Value quotient(Value a, Value b) { return a == Tape::largest || b == 0 ? Tape::largest : a / b; }
Value quotient_up(Value a, Value b) { return a == Tape::largest || b == 0 ? Tape::largest : a / b + (a % b != 0 ? 1 : 0); }

Value small_value(Count value) { return value > Tape::largest ? Tape::largest : static_cast<Value>(value); }

}  // namespace

std::size_t Tape::add(Expr e) {
  const auto known = std::find_if(steps_.begin(), steps_.end(), [&](const Step& s) { return s.node == e.node(); });
  if (known != steps_.end()) return static_cast<std::size_t>(known - steps_.begin());
  Step step{Op::literal, 0, 0, 0, 0, e.node()};
  if (e.op() == Op::name) {
    const auto named = std::find_if(names_.begin(), names_.end(), [&](const Naming& n) { return n.name == e; });
    if (named != names_.end() && named->meaning.variable >= 0) {
      step.op = Op::name;
      step.a = static_cast<std::uint32_t>(named->meaning.variable);
      step.depends = std::uint32_t{1} << step.a;
    } else {
      const Expr meaning = named != names_.end() ? named->meaning.expression : e.name().definition;
      if (meaning) {
        const std::size_t place = add(meaning);
        if (steps_[place].depends != 0) return place;
      }
      step.literal = small_value(e.value());
    }
  } else if (e.op() == Op::literal) {
    step.literal = small_value(e.value());
  } else {
    const std::size_t a = add(e.left()), b = add(e.right());
    step.depends = steps_[a].depends | steps_[b].depends;
    step.a = static_cast<std::uint32_t>(a);
    step.b = static_cast<std::uint32_t>(b);
    if (step.depends != 0)
      step.op = e.op();
    else
      step.literal = small_value(e.value());
  }
  steps_.push_back(step);
  return steps_.size() - 1;
}

void Tape::evaluate(std::span<const std::uint64_t> variables, std::vector<std::uint64_t>& values) const {
  values.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& s = steps_[i];
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

void Tape::bound(std::span<const std::uint64_t> least, std::span<const std::uint64_t> most, std::vector<std::uint64_t>& low,
                 std::vector<std::uint64_t>& high) const {
  low.resize(steps_.size());
  high.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& s = steps_[i];
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
        l = minus(low[s.a], high[s.b]);
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
        l = quotient(low[s.a], high[s.b]);
        h = quotient(high[s.a], low[s.b]);
        break;
      case Op::ceil:
        l = quotient_up(low[s.a], high[s.b]);
        h = quotient_up(high[s.a], low[s.b]);
        break;
    }
  }
}

unsigned Tape::degree(std::size_t step, unsigned variable) const {
  // Forwards, once for each step: a formula's steps are shared.
  std::vector<unsigned> degrees(step + 1);
  for (std::size_t i = 0; i <= step; ++i) {
    const Step& s = steps_[i];
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
