#include "core/expr/expr.hpp"

#include <algorithm>
#include <vector>

#include "core/expr/formula.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

struct Sizes {
  Pool pool;
  Expr d = pool.named({"hidden_size", "d", ""}, 4096);
  Expr n = pool.named({"num_attention_heads", "n", ""}, 32);
  Expr zero = pool.named({"nothing", "z", ""}, 0);
};

}  // namespace

TEST_CASE("operators evaluate at once", "[expr]") {
  Sizes s;
  CHECK(bool((s.d + s.n).peek() == 4128));
  CHECK(bool((s.d - s.n).peek() == 4064));
  CHECK(bool((s.d * s.n).peek() == 131072));
  CHECK(bool((3 * s.d + 1 - 2).peek() == 12287));
  CHECK(bool(power(s.n, 3).peek() == 32768));
  CHECK(bool(power(s.n, 0).peek() == 1));
}

TEST_CASE("neutral operands leave no trace", "[expr]") {
  Sizes s;
  CHECK(s.d + 0 == s.d);
  CHECK(s.pool.literal(0) + s.d == s.d);
  CHECK(s.d - 0 == s.d);
  CHECK(1 * s.d == s.d);
  CHECK(s.d * s.pool.literal(1) == s.d);
  // A name with the value 0 or 1 is not simplified away, because a formula must hold for every configuration of the model type.
  CHECK((s.d + s.zero).op() == Op::sum);
}

TEST_CASE("a division is exact, rounded down or rounded up, and says which", "[expr]") {
  Sizes s;
  const Expr five = s.pool.literal(5);
  CHECK(floor_divide(s.d, s.n).op() == Op::quotient);
  CHECK(ceil_divide(s.d, s.n).op() == Op::ceil);  // 4,096 ÷ 32 is exact, but other values of the names may need rounding
  CHECK(write(ceil_divide(s.d, s.n)) != write(floor_divide(s.d, s.n)));
  CHECK(floor_divide(s.d, five).op() == Op::floor);
  CHECK(bool(floor_divide(s.d, five).peek() == 819));
  CHECK(ceil_divide(s.d, five).op() == Op::ceil);
  CHECK(bool(ceil_divide(s.d, five).peek() == 820));
  CHECK(bool(floor_divide(s.zero, five).peek() == 0));
}

TEST_CASE("an operation without an exact value is refused", "[expr]") {
  Sizes s;
  CHECK(error_of([&] { s.n - s.d; }).code == ErrorCode::out_of_range);
  CHECK(error_of([&] { floor_divide(s.d, s.zero); }).code == ErrorCode::out_of_range);
  CHECK(error_of([&] { ceil_divide(s.d, s.zero); }).code == ErrorCode::out_of_range);
  const Expr half = s.pool.literal(Count{1} << 127U);
  CHECK(error_of([&] { half + half; }).code == ErrorCode::overflow);
  CHECK(error_of([&] { half* s.n; }).code == ErrorCode::overflow);
  CHECK(error_of([&] { power(half, 2); }).code == ErrorCode::overflow);
}

TEST_CASE("expressions are equal if their structure is, not their value", "[expr]") {
  Sizes s;
  CHECK(s.d * s.n == s.d * s.n);
  CHECK_FALSE(s.d * s.n == s.n * s.d);
  CHECK_FALSE(s.pool.literal(4096) == s.d);
  CHECK_FALSE(Expr{} == s.d);
  CHECK(Expr{} == Expr{});
}

TEST_CASE("a pool makes equal expressions once", "[expr]") {
  Pool pool;
  std::vector<Expr> first;
  const auto make = [&](std::uint64_t i) {
    const Expr a = pool.literal(i), b = pool.literal(Count{i} << 32U) + a;
    return std::vector{a, b, a + b, (a + b) * b, (a + b) - b, power(b, 1), floor_divide(b, a + 1), ceil_divide(a, b)};
  };
  for (std::uint64_t i = 2; i < 1000; ++i)
    for (const Expr e : make(i)) first.push_back(e);
  std::size_t place = 0;
  for (std::uint64_t i = 2; i < 1000; ++i)
    for (const Expr e : make(i)) REQUIRE(e == first[place++]);
  std::sort(first.begin(), first.end(), [](Expr a, Expr b) { return a.node()->rank < b.node()->rank; });
  CHECK(std::adjacent_find(first.begin(), first.end()) == first.end());
}

TEST_CASE("a pool finds what it has named", "[expr]") {
  Sizes s;
  CHECK(s.pool.find("hidden_size") == s.d);
  CHECK_FALSE(bool(s.pool.find("d")));
}

}  // namespace param_ledger::test
