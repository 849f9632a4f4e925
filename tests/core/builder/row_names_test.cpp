#include "core/builder/row_names.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("a name is split at its dots", "[builder]") {
  CHECK(segments_of("a.b.c") == std::vector<std::string_view>{"a", "b", "c"});
  CHECK(segments_of("").empty());
  CHECK(module_of("model.norm.weight") == "model.norm");
  CHECK(module_of("weight").empty());
  CHECK(without_weight("mlp.gate.weight") == "mlp.gate");
  CHECK(without_weight("mlp.gate.bias") == "mlp.gate.bias");
  CHECK(without_weight("weight") == "weight");
}

TEST_CASE("the indices of a name are found in order", "[builder]") {
  std::vector<std::string> found;
  const auto all = [&](std::string_view before, std::string_view index) {
    found.push_back(std::string(before) + " " + std::string(index));
    return false;
  };
  CHECK_FALSE(any_index("0.layers.[0-3].experts.[0,2-7].w1", all));
  CHECK(found == std::vector<std::string>{"0.layers [0-3]", "0.layers.[0-3].experts [0,2-7]"});
  found.clear();
  CHECK_FALSE(any_index("a.b..c.4", all));
  CHECK(found == std::vector<std::string>{"a.b..c 4"});
  CHECK(any_index("a.1.b.2", [](std::string_view before, std::string_view) { return before == "a"; }));
}

TEST_CASE("indices are counted and compared by their runs", "[builder]") {
  CHECK(size_of(spelled("[0,3-60]")) == Count{59});
  CHECK(size_of(std::vector<Run>{}) == Count{0});
  CHECK(size_of(std::vector<Run>{{0, ~std::uint64_t{0}}}) == Count{1} << 64U);
  CHECK(same_runs(spelled("[3-60]"), spelled("[3-60]")));
  CHECK_FALSE(same_runs(spelled("[3-60]"), spelled("[3-59]")));
  CHECK_FALSE(same_runs(spelled("[3-60]"), spelled("[3-60,62]")));
}

}  // namespace param_ledger::test
