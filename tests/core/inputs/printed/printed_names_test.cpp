#include "core/inputs/printed/printed_names.hpp"

#include "core/inputs/printed/printed_reader.hpp"
#include "tests/support/catch.hpp"

namespace param_ledger::test {

TEST_CASE("names lose the modules of wrappers and, if asked, those around the backbone", "[inputs]") {
  CHECK(stripped("model.layers.0.q_proj.base_layer.weight", false) == "model.layers.0.q_proj.weight");
  CHECK(stripped("model.layers.0.q_proj.base_layer.weight", true) == "layers.0.q_proj.weight");
  CHECK(stripped("lm_head.original_module.weight", false) == "lm_head.weight");
  CHECK(stripped("language_model.transformer.h.0.weight", true) == "h.0.weight");
  CHECK(stripped("my_model.weight", true) == "my_model.weight");
  CHECK(stripped("model", true).empty());
  CHECK(stripped("", false).empty());
}

TEST_CASE("modules of a printed list are grouped by their contents", "[inputs]") {
  Problems problems;
  const PrintedModel printed = read_printed_model(
      "M(\n"
      "  (layers): ModuleList(\n"
      "    (0-1): 2 x Linear(in_features=3, out_features=5, bias=False)\n"
      "    (2): Linear(in_features=3, out_features=7, bias=False)\n"
      "    (3): Linear(in_features=3, out_features=5, bias=False)\n"
      "  )\n"
      "  (other): Linear(in_features=3, out_features=5, bias=False)\n"
      ")",
      problems);
  REQUIRE(problems.count() == 0);
  const PrintedNames names(printed, "", false);
  const std::vector<PrintedNames::List> lists = names.lists();
  REQUIRE(lists.size() == 1);
  CHECK(lists[0].name == "layers");
  CHECK(lists[0].length == 4);
  using Indices = std::vector<std::vector<std::uint64_t>>;
  const Indices alike = names.alike_in(lists[0]);
  CHECK(std::find(alike.begin(), alike.end(), std::vector<std::uint64_t>{2}) != alike.end());
  std::size_t all = 0;
  for (const auto& group : alike) all += group.size();
  CHECK(all == 4);
  // Lists of at most 2,000 modules are grouped.
  CHECK(names.alike_in({"none", 2000}).size() == 1);
  CHECK(names.alike_in({"none", 2001}).empty());
  CHECK(PrintedNames::is_in("layers", SplitName("layers.0.weight")));
  CHECK(PrintedNames::is_in("layers", SplitName("layers.[0-3]")));
  CHECK_FALSE(PrintedNames::is_in("layers", SplitName("layers.weight")));
  CHECK_FALSE(PrintedNames::is_in("layers", SplitName("layers")));
  CHECK_FALSE(PrintedNames::is_in("layer", SplitName("layers.0.weight")));
}

}  // namespace param_ledger::test
