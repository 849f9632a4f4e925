#include "core/api/report.hpp"
#include "tests/support/support.hpp"

// Tests how a cache grows with the tokens (core/memory/memory.cpp).

namespace param_ledger::test {

TEST_CASE("a cache of keys and values has no constant part", "[memory]") {
  // Llama 2 7B keeps 4,096 keys and 4,096 values of 16 bits for a token in each of 32 layers.
  const auto cache = [](const Json& request) { return parsed(memory(R"({"model_type": "llama"})", request.dump())).at("cache"); };
  static_assert(32 * 2 * 4096 * 2 == 524'288 && 3 * 524'288 == 1'572'864);
  const Json one = cache({{"tokens", 100}}), three = cache({{"tokens", 100}, {"batch", 3}});
  CHECK((one.at("per_token") == "524288" && one.at("constant") == "0"));
  CHECK((three.at("per_token") == "1572864" && three.at("constant") == "0"));
}

}  // namespace param_ledger::test
