#include "core/config/dimensions.hpp"

#include <set>

#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

std::uint16_t order(std::string_view field) { return dimension_order(dimension(field)); }

}  // namespace

TEST_CASE("a field has symbol, group and meaning", "[dimensions]") {
  CHECK(dimension("hidden_size").symbol == "d");
  CHECK(dimension("num_key_value_heads").symbol == "n_kv");
  CHECK(dimension("tie_word_embeddings").group == Group::head);
  CHECK(dimension("unheard_of").group == Group::other);
  CHECK(dimension("unheard_of").symbol.empty());
  for (const Spelling& s : spellings()) CHECK(&dimension(s.field) == s.dimension);
}

TEST_CASE("no field is spelled twice", "[dimensions]") {
  REQUIRE(spellings().size() > 1000);
  std::set<std::string_view> seen;
  for (const Spelling& s : spellings()) {
    CAPTURE(s.field);
    CHECK(seen.insert(s.field).second);
  }
}

TEST_CASE("all spellings of a dimension share one entry", "[dimensions]") {
  CHECK(&dimension("n_embd") == &dimension("hidden_size"));
  CHECK(&dimension("n_head") == &dimension("num_attention_heads"));
}

TEST_CASE("factors have the order of the table, and unknown ones come last", "[dimensions]") {
  CHECK(order("vocab_size") < order("hidden_size"));
  CHECK(order("hidden_size") < order("num_key_value_heads"));
  CHECK(order("num_key_value_heads") < order("head_dim"));
  CHECK(order("head_dim") < order("intermediate_size"));
  CHECK(order("num_hidden_layers") < order("unheard_of"));
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
