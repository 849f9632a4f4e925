// Fuzzes printed models. Each text is parsed. For some of them the configuration is searched for, with and without a given configuration.

// Covers: core/inputs/printed/printed_[rtw]*.cpp core/inputs/printed/printed_modules.cpp core/inputs/printed/row_folding.cpp

#include "core/api/report.hpp"
#include "core/inputs/printed/printed_reader.hpp"
#include "core/support/error.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const std::string_view text = fuzz::text_of(data, size);
  if (!is_utf8(text)) return fuzz::no_defect(read(fuzz::request_of(text, "")));
  try {
    Problems problems;
    const PrintedModel printed = read_printed_model(text, problems);
    for (const ListedRow& row : printed.rows) fuzz::require(!row.name.empty(), "a row without a name", text);
  } catch (const Error& e) {
    fuzz::require(e.code != ErrorCode::internal, "a defect", e.message);
  }
  if (!fuzz::looked_at_closely(text, 1024)) return 0;
  fuzz::checked(read(fuzz::request_of(text, "")));
  fuzz::checked(read(fuzz::request_of(text, "", R"({"model_type":"llama"})")));
  return 0;
}
