// A worked article, whatever it is: judged or refused, each step with its verdict.

#include "core/report.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const std::string request = "{\"article\":" + std::string(fuzz::text_of(data, size)) + "}";
  const nlohmann::json answer = fuzz::checked(article(request));
  if (answer["ok"] != true) return 0;
  for (const nlohmann::json& step : answer["steps"]) fuzz::require(step.contains("verdict"), "a step without a verdict", answer.dump());
  return 0;
}
