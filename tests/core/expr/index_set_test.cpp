#include "core/expr/index_set.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

struct Layers {
  Pool pool;
  Expr n = pool.named({"num_hidden_layers", "L", ""}, 61), dense = pool.named({"first_k_dense_replace", "L_d", ""}, 3);
};

}  // namespace

TEST_CASE("index sets are written as in tensor names", "[index_set]") {
  Layers m;
  CHECK(spelling(all(m.n)) == "[0-60]");
  CHECK(spelling(all(m.pool.literal(1))) == "0");
  CHECK(spelling(between(m.dense, m.n)) == "[3-60]");
  CHECK(spelling(between(m.pool.literal(60), m.n)) == "60");
  CHECK(spelling(only(7)) == "7");
  const std::uint64_t indices[] = {0, 1, 2, 7, 9, 10};
  CHECK(spelling(listed(indices, m.n)) == "[0-2,7,9-10]");
}

TEST_CASE("a written index set is parsed back", "[index_set]") {
  for (const char* word : {"0", "17", "[0-2,7,9-10]", "[3-60]", "[1,3]"}) CHECK(spelling(spelled(word)) == word);
  for (const char* word : {"", "weight", "0a", "*", "[a]"}) CHECK(spelled(word).empty());
  const std::vector<Run> runs = spelled("[0-2,7]");
  CHECK((contains(runs, 0) && contains(runs, 2) && contains(runs, 7)));
  CHECK_FALSE((contains(runs, 3) || contains(runs, 8)));
}

TEST_CASE("sets may be empty", "[index_set]") {
  Layers m;
  CHECK(all(m.pool.literal(0)).empty());
  CHECK(between(m.n, m.dense).empty());
  CHECK(between(m.n, m.n).empty());
  CHECK(listed({}, m.n).empty());
}

TEST_CASE("the count is the number of indices as a formula", "[index_set]") {
  Layers m;
  CHECK(all(m.n).count == m.n);
  CHECK(between(m.dense, m.n).count == m.n - m.dense);
  CHECK_FALSE(bool(only(7).count));
}

TEST_CASE("the cost of a set depends on its runs, not on its indices", "[index_set]") {
  Layers m;
  CHECK(all(m.pool.literal(Count{1} << 62U)).runs.size() == 1);
}

}  // namespace param_ledger::test
