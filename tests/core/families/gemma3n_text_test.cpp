// Tests feed-forward widths that differ between layers. Each width must have one row, and one name in formulas.

#include "tests/support/evaluator.hpp"

namespace param_ledger::test {

TEST_CASE("layers of one width are one row, under the name of the first", "[gemma3n_text]") {
  const Json answer = answer_to(config_of(
      "gemma3n_text", {{"num_hidden_layers", "5"}, {"intermediate_size", "[32, 48, 32, 32, 48]"}, {"num_kv_shared_layers", "0"}}));
  CHECK(shown(answer, row(answer, "tensors", "model.layers.[0,2-3].mlp.up_proj.weight"), "name") ==
        "intermediate_size[0]·hidden_size·layers as 0");
  CHECK(row(answer, "tensors", "model.layers.[1,4].mlp.up_proj.weight").at("shape").dump() == "[48,2048]");
  CHECK(row(answer, "symbols", "layers as 0").at("value") == "3");
}

TEST_CASE("a list of equal widths is one width", "[gemma3n_text]") {
  const Json answer =
      answer_to(config_of("gemma3n_text", {{"num_hidden_layers", "2"}, {"intermediate_size", "[32, 32]"}, {"num_kv_shared_layers", "0"}}));
  CHECK(shown(answer, row(answer, "tensors", "model.layers.[0-1].mlp.up_proj.weight"), "name") ==
        "intermediate_size·hidden_size·num_hidden_layers");
}

TEST_CASE("different widths for thousands of layers are refused", "[gemma3n_text]") {
  std::string widths;
  for (int i = 0; i < 4000; ++i) widths += (i > 0 ? "," : "[") + std::to_string(i + 1);
  const auto answer = [&](const char* layers) {
    return answer_to(config_of("gemma3n_text", {{"num_hidden_layers", layers}, {"intermediate_size", widths + "]"}}));
  };
  CHECK(answer("4000").at("error").at("code") == "too_large");
  CHECK(answer("4001").at("error").at("code") == "inconsistent");
}

}  // namespace param_ledger::test
