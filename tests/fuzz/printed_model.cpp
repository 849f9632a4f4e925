// The text of a printed model, or any other text that is pasted; as it is and beside a configuration.

#include "core/report.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::checked(read(fuzz::request_of(text, "")));
  fuzz::checked(read(fuzz::request_of(text, "", R"({"model_type":"llama"})")));
  return 0;
}
