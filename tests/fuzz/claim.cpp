// A number as somebody may write it, of a small model: an explanation's sum is within what the number says.

#include "core/report.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  static const nlohmann::json config = {{"model_type", "mixtral"}, {"num_hidden_layers", 2}};
  const nlohmann::json request = {{"config", config}, {"claim", std::string(fuzz::text_of(data, size))}};
  const nlohmann::json answer = fuzz::checked(check(request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  if (answer["ok"] != true) return 0;
  const bool found = !answer["agreeing"].empty(), explained = answer["verdict"] == "exact" || answer["verdict"] == "agrees";
  fuzz::require(found == explained, "the verdict is not that of its explanations", answer.dump());
  return 0;
}
