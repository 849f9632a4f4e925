#include "core/support/error.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("the kinds of deliberate refusals are listed in CONTRIBUTING and in the TypeScript types", "[error]") {
  const std::string contributing = text_of("../../CONTRIBUTING.md"), types = text_of("../../web/types/refusal.ts");
  for (std::size_t i = 1; i < refused_count; ++i) {
    const std::string kind(spelling(static_cast<Refused>(i)));
    CAPTURE(kind);
    CHECK(contributing.find("\n- `" + kind + '`') != std::string::npos);
    CHECK(types.find("\n  | '" + kind + '\'') != std::string::npos);
  }
}

}  // namespace param_ledger::test
