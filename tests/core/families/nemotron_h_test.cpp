// Tests both notations for the pattern of layers, and that the pattern determines the number of layers.

#include "tests/support/oracle.hpp"

namespace param_ledger::test {

TEST_CASE("a pattern of letters is the list of kinds", "[nemotron_h]") {
  const Json letters = answer_to(config_of("nemotron_h", {{"hybrid_override_pattern", "\"M-M*E\""}}));
  for (const char* kinds :
       {R"(["mamba", "mlp", "mamba", "attention", "moe"])", R"(["linear_attention", "mlp", "linear_attention", "full_attention", "moe"])"})
    CHECK(differences(tensors_of(answer_to(config_of("nemotron_h", {{"layers_block_type", kinds}}))), tensors_of(letters)).empty());
  CHECK(row(letters, "fields", "hybrid_override_pattern").at("value") == "M-M*E");
}

TEST_CASE("the number of layers follows from the pattern", "[nemotron_h]") {
  const Json answer = answer_to(config_of("nemotron_h", {{"hybrid_override_pattern", "\"M*M\""}, {"num_hidden_layers", "52"}}));
  CHECK(row(answer, "symbols", "num_hidden_layers").at("value") == "3");
  CHECK(row(answer, "fields", "num_hidden_layers").at("source") == "ignored");
  CHECK_FALSE(row(answer, "tensors", "backbone.layers.[0,2].mixer.in_proj.weight").is_null());
}

}  // namespace param_ledger::test
