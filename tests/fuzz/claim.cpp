// Fuzzes claims, which are numbers as people write them. Each reading of a number must be a non-empty range. Some claims are also checked
// for a small model, and the verdict must fit the explanations.

// Covers: core/claims/claim*.cpp core/claims/*_claims.cpp core/claims/stated_numbers.cpp core/claims/conventions.cpp
// Covers: core/claims/other_counts.cpp core/claims/re*.cpp core/claims/row_switches.cpp core/support/quantity.cpp

#include "core/api/report.hpp"
#include "core/claims/claim_readings.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const std::string_view text = fuzz::text_of(data, size);
  try {
    const Quantity quantity = read_quantity(text, "claim");
    for (const NumberReading& reading : readings_of(quantity)) fuzz::require(reading.low <= reading.high, "a reading of nothing", text);
  } catch (const Error& e) {
    fuzz::require(e.code != ErrorCode::internal, "a defect", e.message);
  }
  if (!fuzz::looked_at_closely(text, 256)) return 0;
  // Replaces invalid UTF-8, because the answer quotes the text and would otherwise not be valid JSON.
  const std::string written = nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const auto claim = nlohmann::json::parse(written).get<std::string>();
  const nlohmann::json answer = fuzz::checked(check(R"({"model_type": "mixtral", "num_hidden_layers": 2})", claim));
  if (answer["ok"] != true) return 0;
  for (const nlohmann::json& number : answer["claims"]) {
    const bool found = !number["agreeing"].empty(), explained = number["verdict"] == "exact" || number["verdict"] == "agrees";
    fuzz::require(found == explained, "the verdict is not that of its explanations", answer.dump());
  }
  return 0;
}
