#include "core/inputs/tensors/split_name.hpp"

#include "tests/support/catch.hpp"

namespace param_ledger::test {

namespace {

bool same(const RunList& a, const RunList& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].first != b[i].first || a[i].last != b[i].last) return false;
  return true;
}

}  // namespace

TEST_CASE("lists of indices are united, whatever the order of their runs", "[tensors]") {
  CHECK(same(united({}, {{3, 5}}), {{3, 5}}));
  CHECK(same(united({{4, 6}}, {{0, 2}}), {{0, 2}, {4, 6}}));
  CHECK(same(united({{0, 2}, {4, 6}}, {{2, 4}}), {{0, 6}}));
  CHECK(same(united({{0, 9}}, {{3, 5}}), {{0, 9}}));
  // Layers with linear attention, then those with full attention, then a block that all layers have.
  const RunList attention = united({{0, 2}, {4, 6}}, {{3, 3}, {7, 7}});
  CHECK(size_of(attention) == 8);
  CHECK(size_of(united(attention, {{0, 7}})) == 8);
}

TEST_CASE("indices that are not in another list remain", "[tensors]") {
  CHECK(same(remaining({{0, 9}}, {{0, 3}, {5, 7}}), {{4, 4}, {8, 9}}));
  CHECK(same(remaining({{0, 9}}, {{0, 9}}), {}));
  CHECK(same(remaining({{0, 1}, {8, 9}}, {{1, 8}}), {{0, 0}, {9, 9}}));
}

}  // namespace param_ledger::test
