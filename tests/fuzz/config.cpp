// A config.json: counted or refused; sums alone and the whole answer agree.

#include "core/report.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const std::string_view text = fuzz::text_of(data, size);
  const nlohmann::json counted = fuzz::checked(count(text)), sums = fuzz::checked(totals(text));
  fuzz::require(counted["ok"] == sums["ok"], "count and totals disagree", text);
  if (counted["ok"] == true) fuzz::require(counted["totals"] == sums["totals"], "count and totals disagree", text);
  return 0;
}
