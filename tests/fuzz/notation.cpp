// Fuzzes configurations that are not JSON, and other texts that people paste, such as tables of layers, training recipes and logs. Each
// must be read or refused. A configuration that was converted to JSON must be counted or refused like any other.

// Covers: core/notations/*.cpp core/inputs/text/*tables.cpp core/inputs/text/layer_table.cpp core/inputs/text/file_listing.cpp
// Covers: core/inputs/named_model.cpp core/inputs/gguf/gguf_log.cpp core/support/utf16.cpp

#include "core/api/report.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const std::string_view text = fuzz::text_of(data, size);
  const std::string answer = read(fuzz::request_of(text, ""));
  if (!fuzz::looked_at_closely(text)) return fuzz::no_defect(answer);
  const nlohmann::json reading = fuzz::checked(answer);
  if (!reading.contains("notation")) return 0;
  const auto json = reading["text"].get<std::string>();
  const nlohmann::json counted = fuzz::checked(totals(json));
  if (counted["ok"] == true || counted["error"]["code"] != "malformed_json") return 0;
  // The converted configuration keeps the digits and the exponent of numbers, because error messages quote them. A number may therefore be
  // too large for a double.
  const bool too_large =
      counted["error"]["message"].get<std::string>().find("too large for a double-precision number") != std::string::npos;
  fuzz::require(too_large, "a configuration that is not JSON", json);
  return 0;
}
