#include "core/row_names.hpp"

#include "tests/support.hpp"

namespace param_ledger::test {

TEST_CASE("a name is taken apart at its dots", "[builder]") {
  CHECK(segments_of("a.b.c") == std::vector<std::string_view>{"a", "b", "c"});
  CHECK(segments_of("").empty());
  CHECK(module_of("model.norm.weight") == "model.norm");
  CHECK(module_of("weight").empty());
  CHECK(without_weight("mlp.gate.weight") == "mlp.gate");
  CHECK(without_weight("mlp.gate.bias") == "mlp.gate.bias");
  CHECK(without_weight("weight") == "weight");
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
