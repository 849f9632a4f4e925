#include "core/claims/known_claims.hpp"

#include "tests/support/catch.hpp"

namespace param_ledger::test {

TEST_CASE("a known number belongs to one model", "[claim]") {
  const auto known = [](Count parameters, std::string_view text) { return known_claim(parameters, read_quantity(text, "claim")); };
  constexpr Count gpt2 = 124'439'808, xlm_r = 278'295'186;
  REQUIRE(known(gpt2, "117M") != nullptr);
  CHECK(known(gpt2, "117M")->model == "GPT-2");
  CHECK(known(gpt2, "117 million") == known(gpt2, "117M"));
  // With its 12 causal masks of 1,024 × 1,024, GPT-2 has 137,022,720 elements. With 4 bytes each they take 548 MB.
  CHECK(known(gpt2, "137M") != nullptr);
  CHECK(known(gpt2, "137,022,720") != nullptr);
  CHECK(known(gpt2, "548 MB") != nullptr);
  CHECK(known(xlm_r, "270M") != nullptr);
  CHECK(known(559'890'432, "550M")->model == "XLM-R Large");
  // 32.5B is the number for a narrower feed-forward block: in 64 layers, three matrices with 256 × 5,120 fewer elements each.
  constexpr Count qwen = 32'763'876'352;
  static_assert(qwen - Count{64} * 3 * 256 * 5120 == 32'512'218'112);
  CHECK(known(qwen, "32.5B") != nullptr);
  CHECK(known(qwen, "31.0B")->model == "Qwen2.5-32B");
  CHECK(known(qwen, "32.6B") == nullptr);
  CHECK(known(72'706'203'648, "70.0B") != nullptr);
  // Eight devices wrote GPT-J's file. Seven of them stored further copies of the norms (weight and bias) and output biases of 28 layers,
  // and of the final norm. All eight stored the bias of the embedding.
  constexpr Count gpt_j = 6'050'882'784;
  static_assert(gpt_j + Count{4096} * (7 * (28 * 3 + 2) + 8) == 6'053'381'344);
  CHECK(known(gpt_j, "6,053,381,344")->model == "GPT-J 6B");
  CHECK(known(gpt_j, "6,053,381,345") == nullptr);
  // 355B leaves out four tables of 151,552 rows of 5,120: two of the model and two of its prediction layer.
  static_assert(Count{358'337'791'296} - Count{4} * 151'552 * 5120 == 355'234'006'336);
  CHECK(known(352'797'814'784, "355B") != nullptr);
  CHECK(known(gpt2, "118M") == nullptr);
  CHECK(known(gpt2, "117 MB") == nullptr);
  CHECK(known(xlm_r, "117M") == nullptr);
}

}  // namespace param_ledger::test
