#include "core/claims/remainders.hpp"

#include "core/json/json.hpp"
#include "tests/support/catch.hpp"

namespace param_ledger::test {

TEST_CASE("a remainder that is a multiple of two sizes is not factored", "[claim]") {
  // Llama 2 7B has matrices of 4,096 × 4,096 and of 11,008 × 4,096. The ratio of their sizes is 16 : 43.
  const Document document(R"({"model_type": "llama"})");
  const Model model(document.root());
  constexpr Count square = Count{4096} * 4096, wide = Count{11008} * 4096;
  const std::optional<Remainder> three = factored(model, 3 * square, true), two = factored(model, 2 * wide, true);
  REQUIRE((three && two));
  CHECK((three->times == 3 && three->each == square));
  CHECK((two->times == 2 && two->each == wide));
  static_assert(43 * square == 16 * wide);
  CHECK_FALSE(factored(model, 43 * square, true));
}

TEST_CASE("a remainder of one biased norm is its weight and its bias", "[claim]") {
  // GPT-2's norms have a weight and a bias of 768 each.
  const Document document(R"({"model_type": "gpt2"})");
  const Model model(document.root());
  const std::optional<Remainder> norm = factored(model, 2 * 768, true);
  REQUIRE(norm);
  CHECK((norm->times == 2 && norm->each == 768));
  CHECK(norm->what == "the weight and the bias of a norm");
  // Two norms have 3,072 elements, as many as the bias of a feed-forward block's first matrix.
  CHECK_FALSE(factored(model, 4 * 768, true));
}

TEST_CASE("a remainder may be the missing biases of all norms", "[claim]") {
  // Llama 2 7B has two norms of 4,096 in each of 32 layers, and a last one. None of them has a bias.
  const Document document(R"({"model_type": "llama"})");
  const Model model(document.root());
  const std::optional<Remainder> biases = factored(model, Count{65} * 4096, true);
  REQUIRE(biases);
  CHECK((biases->times == 65 && biases->each == 4096));
  CHECK(biases->what == "the biases of 65 norms");
  CHECK_FALSE(factored(model, Count{65} * 4096, false));
  CHECK_FALSE(factored(model, 0, true));
}

TEST_CASE("norms of one number have biases of one number", "[claim]") {
  // Two layers have two norms each, and there is a last one.
  const Document document(R"({"model_type": "llama", "hidden_size": 1, "num_attention_heads": 1, "num_hidden_layers": 2})");
  const Model model(document.root());
  const std::optional<Remainder> biases = factored(model, 5, true);
  REQUIRE(biases);
  CHECK((biases->times == 5 && biases->each == 1));
  CHECK(biases->what == "the biases of 5 norms");
}

}  // namespace param_ledger::test
