#include "core/dimensions.hpp"

#include <set>

#include "tests/oracle.hpp"

namespace param_ledger::test {

TEST_CASE("a field has symbol, group and meaning", "[dimensions]") {
  CHECK(dimension("hidden_size").symbol == "d");
  CHECK(dimension("num_key_value_heads").symbol == "n_kv");
  CHECK(dimension("tie_word_embeddings").group == Group::head);
  CHECK(dimension("unheard_of").group == Group::other);
  CHECK(dimension("unheard_of").symbol.empty());
  for (const Dimension& d : dimensions()) CHECK(&dimension(d.name) == &d);
}

TEST_CASE("factors stand in the order of the table, unknown ones last", "[dimensions]") {
  CHECK(dimension_order("vocab_size") < dimension_order("hidden_size"));
  CHECK(dimension_order("hidden_size") < dimension_order("num_key_value_heads"));
  CHECK(dimension_order("num_key_value_heads") < dimension_order("head_dim"));
  CHECK(dimension_order("head_dim") < dimension_order("intermediate_size"));
  CHECK(dimension_order("num_hidden_layers") < dimension_order("unheard_of"));
}

TEST_CASE("every field that a family reads is in the table", "[dimensions]") {
  std::set<std::string> read;
  for (const Case& one : oracle_cases())
    for (const Json& field : answer_to(one.config).value("fields", Json::array()))
      if (field.value("source", "given") != "ignored") read.insert(field.at("name").get<std::string>());
  REQUIRE(read.size() > 50);
  for (const std::string& name : read) {
    CAPTURE(name);
    CHECK_FALSE(dimension(std::string_view(name).substr(name.rfind('.') + 1)).meaning.empty());
  }
}

}  // namespace param_ledger::test
