// A list of tensors, as lines or as JSON, or an index; as it is and beside a configuration.

#include "core/report.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const std::string_view text = fuzz::text_of(data, size);
  const nlohmann::json alone = fuzz::checked(read(fuzz::request_of(text, "")));
  const nlohmann::json beside = fuzz::checked(read(fuzz::request_of(text, "", R"({"model_type":"gpt2"})")));
  fuzz::require(alone["ok"] == beside["ok"], "a configuration changes what is read", text);
  if (alone.contains("totals"))
    fuzz::require(alone["totals"]["tensors"] == beside["totals"]["tensors"], "a configuration changes the sums", text);
  return 0;
}
