#include "core/config/constraints.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("a violated constraint names the fields and their values", "[demands]") {
  Pool pool;
  const auto name = [&](const char* field, Count value) { return pool.named({field, field, ""}, value); };
  const Expr d = name("d", 100), n = name("n", 32), zero = name("zero", 0);
  const Error not_divisible = error_of([&] { require_multiple(d, n); });
  CHECK(not_divisible.code == ErrorCode::not_divisible);
  CHECK(not_divisible.field == "d");
  CHECK(not_divisible.message == "d (100) must be a multiple of n (32).");
  CHECK(error_of([&] { require_multiple(d, zero); }).code == ErrorCode::not_divisible);
  CHECK(error_of([&] { require_equal(d, n); }).code == ErrorCode::inconsistent);
  CHECK(error_of([&] { require_positive(zero); }).field == "zero");
}

TEST_CASE("layers of several kinds are limited to ten thousand", "[demands]") {
  Pool pool;
  CHECK_NOTHROW(require_listable(pool.named({"n_layers", "L", ""}, 10'000)));
  const Error refused = error_of([&] { require_listable(pool.named({"depth", "L_2", ""}, 10'001)); });
  CHECK(refused.code == ErrorCode::too_large);
  CHECK(refused.field == "depth");
  CHECK(refused.kind == Refused::listed_layers);
}

TEST_CASE("the field of an expression is the first that it names", "[demands]") {
  Pool pool;
  const Expr d = pool.named({"d", "d", ""}, 12), n = pool.named({"n", "n", ""}, 4);
  CHECK(field_of(3 * floor_divide(d, n)) == "d");
  CHECK(field_of(pool.literal(7)).empty());
}

}  // namespace param_ledger::test
