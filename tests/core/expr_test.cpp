#include "core/expr.hpp"

#include "tests/support.hpp"

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
  CHECK(bool((s.d + s.n).value() == 4128));
  CHECK(bool((s.d - s.n).value() == 4064));
  CHECK(bool((s.d * s.n).value() == 131072));
  CHECK(bool((3 * s.d + 1 - 2).value() == 12287));
  CHECK(bool(power(s.n, 3).value() == 32768));
  CHECK(bool(power(s.n, 0).value() == 1));
}

TEST_CASE("neutral operands leave no trace", "[expr]") {
  Sizes s;
  CHECK(s.d + 0 == s.d);
  CHECK(s.pool.literal(0) + s.d == s.d);
  CHECK(s.d - 0 == s.d);
  CHECK(1 * s.d == s.d);
  CHECK(s.d * s.pool.literal(1) == s.d);
  // A name that happens to be 0 or 1 stays: the formula is the family's, not the config's.
  CHECK((s.d + s.zero).op() == Op::sum);
}

TEST_CASE("a division is exact, rounded down or rounded up, and says which", "[expr]") {
  Sizes s;
  const Expr five = s.pool.literal(5);
  CHECK(floor_divide(s.d, s.n).op() == Op::quotient);
  CHECK(ceil_divide(s.d, s.n).op() == Op::quotient);
  CHECK(floor_divide(s.d, five).op() == Op::floor);
  CHECK(bool(floor_divide(s.d, five).value() == 819));
  CHECK(ceil_divide(s.d, five).op() == Op::ceil);
  CHECK(bool(ceil_divide(s.d, five).value() == 820));
  CHECK(bool(floor_divide(s.zero, five).value() == 0));
}

TEST_CASE("what has no exact value is refused", "[expr]") {
  Sizes s;
  CHECK(error_of([&] { s.n - s.d; }).code == ErrorCode::out_of_range);
  CHECK(error_of([&] { floor_divide(s.d, s.zero); }).code == ErrorCode::out_of_range);
  CHECK(error_of([&] { ceil_divide(s.d, s.zero); }).code == ErrorCode::out_of_range);
  const Expr half = s.pool.literal(Count{1} << 127U);
  CHECK(error_of([&] { half + half; }).code == ErrorCode::overflow);
  CHECK(error_of([&] { half* s.n; }).code == ErrorCode::overflow);
  CHECK(error_of([&] { power(half, 2); }).code == ErrorCode::overflow);
}

TEST_CASE("expressions are equal by what they say, not by their value", "[expr]") {
  Sizes s;
  CHECK(s.d * s.n == s.d * s.n);
  CHECK_FALSE(s.d * s.n == s.n * s.d);
  CHECK_FALSE(s.pool.literal(4096) == s.d);
  CHECK_FALSE(Expr{} == s.d);
  CHECK(Expr{} == Expr{});
}

TEST_CASE("a pool finds what it has named", "[expr]") {
  Sizes s;
  CHECK(s.pool.find("hidden_size") == s.d);
  CHECK_FALSE(bool(s.pool.find("d")));
}

}  // namespace param_ledger::test
