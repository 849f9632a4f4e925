// Fuzzes lists of tensors (as lines or JSON), shard indices, and any other text that is recognised. Each text is read. For some of
// them, a configuration must not change what is read, and `wants` also gets the text as the beginning of a longer file.

// Covers: core/inputs/text/tensor_lines.cpp core/inputs/text/own_outputs.cpp core/inputs/bytes/line_ends.cpp core/inputs/formats.cpp
// Covers: core/inputs/read*.cpp core/inputs/tensors/listed_row.cpp core/inputs/tensors/name_ranges.cpp core/inputs/tensors/tensor_*.cpp

#include "core/api/report.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const std::string_view text = fuzz::text_of(data, size);
  const std::string read_alone = read(fuzz::request_of(text, ""));
  if (!fuzz::looked_at_closely(text)) return fuzz::no_defect(read_alone);
  const nlohmann::json alone = fuzz::checked(read_alone);
  const nlohmann::json beside = fuzz::checked(read(fuzz::request_of(text, "", R"({"model_type":"gpt2"})")));
  fuzz::require(alone["ok"] == beside["ok"], "a configuration changes what is read", text);
  // The request claims that the whole file is one terabyte long.
  const std::string begin =
      R"({"files":[{"name":"","bytes":)" + std::to_string(size) + R"(,"size":1000000000000}]})" + "\n" + std::string(text);
  fuzz::checked(wants(begin));
  if (alone.contains("totals"))
    fuzz::require(alone["totals"]["tensors"] == beside["totals"]["tensors"], "a configuration changes the sums", text);
  return 0;
}
