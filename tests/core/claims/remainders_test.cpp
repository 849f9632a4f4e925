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

}  // namespace param_ledger::test
