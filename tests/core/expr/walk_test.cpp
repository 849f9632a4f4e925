#include "core/expr/walk.hpp"

#include <string>

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("a walk visits names from left to right, operands before their operation", "[expr]") {
  Pool pool;
  const Expr a = pool.named({"a", "a", ""}, 2), b = pool.named({"b", "b", ""}, 3), c = pool.named({"c", "c", ""}, 5);
  std::string visited;
  CHECK_FALSE(walk((a + b) * c, [&](Expr e) {
    visited += e.op() == Op::name ? e.name().name : e.op() == Op::sum ? "+" : "*";
    return false;
  }));
  CHECK(visited == "ab+c*");
  visited.clear();
  CHECK(walk((a + b) * c, [&](Expr e) {
    visited += e.name().name;
    return e == b;
  }));
  CHECK(visited == "ab");
  CHECK(walk(a, [&](Expr e) { return e == a; }));
}

TEST_CASE("a walk visits each shared operation once", "[expr]") {
  Pool pool;
  Expr e = pool.named({"a", "a", ""}, 1) + pool.literal(1);
  for (int i = 0; i < 60; ++i) e = e + e;
  int operations = 0;
  walk(e, [&](Expr part) {
    operations += part.op() == Op::sum ? 1 : 0;
    return false;
  });
  CHECK(operations == 61);
}

TEST_CASE("a walk has no depth limit", "[expr]") {
  Pool pool;
  Expr e = pool.named({"a", "a", ""}, 1);
  for (int i = 0; i < 300'000; ++i) e = e + 1;
  CHECK(walk(e, [](Expr part) { return part.op() == Op::name; }));
}

}  // namespace param_ledger::test
