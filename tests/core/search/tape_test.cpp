#include "core/search/tape.hpp"

#include <random>

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

using Value = Tape::Value;

Value value_of(const Tape& tape, Tape::Step step, const std::vector<Value>& variables) {
  std::vector<Value> values;
  tape.evaluate(variables, values, tape.size());
  return values[step];
}

struct Bounds {
  Value low, high;
};

Bounds bounds_of(const Tape& tape, Tape::Step step, const std::vector<Value>& least, const std::vector<Value>& most) {
  std::vector<Value> low, high;
  tape.bound(least, most, low, high, tape.size());
  return {low[step], high[step]};
}

}  // namespace

TEST_CASE("an expression is evaluated for other values of its names", "[tape]") {
  Pool pool;
  const Expr d = pool.named({"hidden_size", "d", ""}, 100), n = pool.named({"num_attention_heads", "n", ""}, 8);
  Tape tape;
  // No name is a variable of this tape, so the expression is a constant.
  const Tape::Step fixed = tape.add(3 * d * n + 1);
  CHECK(tape.depends(fixed) == 0);
  CHECK(value_of(tape, fixed, {}) == 2401);
  CHECK(tape.add(3 * d * n + 1) == fixed);
}

TEST_CASE("operations round as expressions do", "[tape]") {
  Tape tape;
  const Tape::Step a = tape.variable(0), b = tape.variable(1);
  const auto at = [&](Op op, Value x, Value y) { return value_of(tape, tape.operation(op, a, b), {x, y}); };
  CHECK(at(Op::sum, 7, 2) == 9);
  CHECK(at(Op::difference, 7, 2) == 5);
  CHECK(at(Op::product, 7, 2) == 14);
  CHECK(at(Op::power, 7, 3) == 343);
  CHECK(at(Op::power, 0, 0) == 1);
  CHECK(at(Op::floor, 7, 2) == 3);
  CHECK(at(Op::ceil, 7, 2) == 4);
  CHECK(at(Op::ceil, 8, 2) == 4);
  CHECK(at(Op::quotient, 8, 2) == 4);
}

TEST_CASE("the largest value stands for all values above 64 bits", "[tape]") {
  Tape tape;
  const Tape::Step a = tape.variable(0), b = tape.variable(1);
  constexpr Value large = Value{1} << 33U;
  CHECK(value_of(tape, tape.operation(Op::product, a, b), {large, large}) == Tape::largest);
  CHECK(value_of(tape, tape.operation(Op::product, a, b), {3, Value{1} << 63U}) == Tape::largest);
  CHECK(value_of(tape, tape.operation(Op::product, a, b), {Value{1} << 63U, 3}) == Tape::largest);
  CHECK(value_of(tape, tape.operation(Op::product, a, b), {3, Value{1} << 62U}) == Value{3} << 62U);
  CHECK(value_of(tape, tape.operation(Op::sum, a, b), {Tape::largest - 1, 2}) == Tape::largest);
  CHECK(value_of(tape, tape.operation(Op::power, a, b), {2, 64}) == Tape::largest);
  CHECK(value_of(tape, tape.operation(Op::power, a, b), {2, 63}) == Value{1} << 63U);
  CHECK(tape.literal(Count{1} << 70U) < tape.size());
  CHECK(value_of(tape, tape.literal(Count{1} << 70U), {1, 1}) == Tape::largest);
  // Once a product exceeds the largest value, the upper bound of its quotient is unknown.
  const Tape::Step product = tape.operation(Op::product, a, a), quotient = tape.operation(Op::floor, product, b);
  const Bounds bounds = bounds_of(tape, quotient, {2, 2}, {large, 2});
  CHECK(bounds.low == 2);
  CHECK(bounds.high == Tape::largest);
  // The upper bound of a difference is unknown, too, once its minuend exceeds the largest value.
  const Bounds left = bounds_of(tape, tape.operation(Op::difference, product, b), {2, 2}, {large, 2});
  CHECK(left.low == 2);
  CHECK(left.high == Tape::largest);
}

TEST_CASE("bounds contain all values of a step", "[tape]") {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (int round = 0; round < 300; ++round) {
    Tape tape;
    for (unsigned i = 0; i < 3; ++i) tape.variable(i);
    tape.literal(below(5));
    tape.literal(1 + below(40));
    constexpr Op ops[] = {Op::sum, Op::difference, Op::product, Op::floor, Op::ceil};
    for (int i = 0; i < 8; ++i) {
      const auto step = [&] { return static_cast<Tape::Step>(below(tape.size())); };
      // Exponents are literals, as in all formulas. The bounds rely on that.
      if (below(6) == 0)
        tape.operation(Op::power, step(), 3);
      else
        tape.operation(ops[below(5)], step(), step());
    }
    std::vector<Value> least, most;
    for (int i = 0; i < 3; ++i) {
      least.push_back(below(12));
      most.push_back(least.back() + below(4));
    }
    std::vector<Value> low, high, values;
    tape.bound(least, most, low, high, tape.size());
    for (Value x = least[0]; x <= most[0]; ++x)
      for (Value y = least[1]; y <= most[1]; ++y)
        for (Value z = least[2]; z <= most[2]; ++z) {
          tape.evaluate(std::vector<Value>{x, y, z}, values, tape.size());
          bool known = true;  // false from the first step that divides by zero or exceeds 64 bits
          for (std::size_t i = 0; i < tape.size() && known; ++i) {
            known = values[i] != Tape::largest;
            if (known) CHECK((low[i] <= values[i] && values[i] <= high[i]));
          }
        }
  }
}

TEST_CASE("a step's dependencies and degree are known", "[tape]") {
  Tape tape;
  const Tape::Step a = tape.variable(0), b = tape.variable(1), two = tape.literal(2);
  const Tape::Step square = tape.operation(Op::power, a, two), both = tape.operation(Op::product, square, b);
  const Tape::Step sum = tape.operation(Op::sum, both, a), half = tape.operation(Op::floor, b, two);
  CHECK(tape.depends(both) == 3);
  CHECK(tape.depends(two) == 0);
  CHECK(tape.degree(both, 0) == 2);
  CHECK(tape.degree(both, 1) == 1);
  CHECK(tape.degree(sum, 0) == 2);
  CHECK(tape.degree(square, 1) == 0);
  CHECK(tape.degree(half, 1) == Tape::not_polynomial);
  CHECK(tape.degree(half, 0) == 0);
}

TEST_CASE("a sum with many nested summands can be added", "[tape]") {
  struct Varying final : DecisionObserver {
    param_ledger::VariableSet on_name(Expr, std::string_view) override { return 1; }
    void on_read(param_ledger::VariableSet) override {}
    void on_read(std::string_view) override {}
    void on_decision(const Decision&) override {}
    void on_wished_multiple(Expr, Expr) override {}
  } varying;
  Pool pool;
  pool.set_observer(&varying);
  const Expr width = pool.named({"hidden_size", "d", ""}, 8, "hidden_size");
  Tape tape;
  tape.name(width, tape.variable(0));
  Expr sum = width;
  constexpr Value summands = 300'000;
  for (Value i = 0; i < summands; ++i) sum = sum + width;
  CHECK(value_of(tape, tape.add(sum), {5}) == 5 * (summands + 1));
}

}  // namespace param_ledger::test
