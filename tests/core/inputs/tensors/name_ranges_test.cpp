#include "core/inputs/tensors/name_ranges.hpp"

#include "tests/support/catch.hpp"

namespace param_ledger::test {

TEST_CASE("all names of a text share a budget", "[inputs]") {
  std::size_t budget = 6;
  CHECK(expanded_names("layers.[0-1].w", budget) == std::vector<std::string>{"layers.0.w", "layers.1.w"});
  CHECK(budget == 4);
  // Six names exceed the remaining budget of four, so nothing is expanded and the budget does not change.
  CHECK(expanded_names("a.[0-1].[0-2]", budget).empty());
  CHECK(budget == 4);
  CHECK(expanded_names("a.[0-3]", budget).size() == 4);
  CHECK(budget == 0);
  CHECK(expanded_names("norm", budget).empty());
}

}  // namespace param_ledger::test
