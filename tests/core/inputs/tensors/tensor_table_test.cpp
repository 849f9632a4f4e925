#include "core/inputs/tensors/tensor_table.hpp"

#include "tests/support/catch.hpp"

namespace param_ledger::test {

namespace {

struct Named {
  std::string name;
  std::vector<std::uint64_t> shape;
};

std::vector<ListedRow> folded(const std::vector<Named>& tensors, Problems& problems) {
  TensorTable table;
  for (const auto& [name, shape] : tensors) table.add(name, shape, 0);
  return table.fold(problems);
}

std::string names_of(const std::vector<Named>& tensors) {
  Problems problems;
  std::string out;
  for (const ListedRow& row : folded(tensors, problems)) out += row.name + ' ' + digits(row.copies) + '\n';
  return out;
}

}  // namespace

TEST_CASE("names that differ in an index form a row in any order", "[inputs]") {
  CHECK(names_of({{"h.2.w", {1}}, {"h.10.w", {1}}, {"h.0.w", {1}}, {"h.1.w", {1}}}) == "h.[0-2,10].w 4\n");
  CHECK(names_of({{"h.7.w", {1}}}) == "h.7.w 1\n");
  CHECK(names_of({{"w", {1}}, {"b", {1}}}) == "w 1\nb 1\n");
}

TEST_CASE("different shapes are different rows", "[inputs]") {
  CHECK(names_of({{"h.0.w", {1}}, {"h.1.w", {2}}, {"h.2.w", {1}}}) == "h.[0,2].w 2\nh.1.w 1\n");
}

TEST_CASE("equal inner indices under several outer ones form a row", "[inputs]") {
  CHECK(names_of({{"l.0.e.0.w", {1}}, {"l.0.e.1.w", {1}}, {"l.1.e.0.w", {1}}, {"l.1.e.1.w", {1}}, {"l.2.e.1.w", {1}}}) ==
        "l.[0-1].e.[0-1].w 4\nl.2.e.1.w 1\n");
}

TEST_CASE("digits that are not an index are kept", "[inputs]") {
  CHECK(names_of({{"a.01.w", {1}}, {"a.1x.w", {1}}, {"a.2097152.w", {1}}, {"h1.w", {1}}, {"", {1}}, {"..", {1}}}) ==
        "a.01.w 1\na.1x.w 1\na.2097152.w 1\nh1.w 1\n 1\n.. 1\n");
  // Only the first three numbers of a name are indices.
  CHECK(names_of({{"0.1.2.3", {1}}, {"0.1.2.4", {1}}}) == "0.1.2.3 1\n0.1.2.4 1\n");
}

TEST_CASE("a name that occurs twice is reported and counted once", "[inputs]") {
  Problems problems;
  const auto rows = folded({{"h.0.w", {1}}, {"h.1.w", {1}}, {"h.0.w", {2}}, {"x", {3}}, {"x", {3}}}, problems);
  CHECK(problems.count() == 2);
  CHECK(problems.list().at(0).message == "The tensor \"h.0.w\" occurs twice.");
  Count tensors = 0;
  for (const ListedRow& row : rows) tensors += row.copies;
  CHECK(tensors == 3);
}

}  // namespace param_ledger::test
