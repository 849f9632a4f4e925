#include "core/known_claims.hpp"

#include "tests/catch.hpp"

namespace param_ledger::test {

TEST_CASE("a known number is that of one model", "[claim]") {
  const auto known = [](Count parameters, std::string_view text) { return known_claim(parameters, read_quantity(text, "claim")); };
  constexpr Count gpt2 = 124'439'808, xlm_r = 278'295'186;
  REQUIRE(known(gpt2, "117M") != nullptr);
  CHECK(known(gpt2, "117M")->model == "GPT-2");
  CHECK(known(gpt2, "117 million") == known(gpt2, "117M"));
  // 12 masks of 1,024 × 1,024 more, in 4 bytes
  CHECK(known(gpt2, "137M") != nullptr);
  CHECK(known(gpt2, "137,022,720") != nullptr);
  CHECK(known(gpt2, "548 MB") != nullptr);
  CHECK(known(xlm_r, "270M") != nullptr);
  CHECK(known(gpt2, "118M") == nullptr);
  CHECK(known(gpt2, "117 MB") == nullptr);
  CHECK(known(xlm_r, "117M") == nullptr);
}

}  // namespace param_ledger::test
