// Fuzzes headers of GGUF files, complete or cut. A header must be read, be refused, or lead to a request for more of the file. The answer
// must not list more tensors than the bytes can describe.

// Covers: core/inputs/gguf/gguf.cpp core/inputs/gguf/gguf_[cfn]*.cpp core/inputs/bytes/pieces.cpp

#include "core/api/report.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const std::string_view text = fuzz::text_of(data, size);
  // The request claims that the whole file is one terabyte long.
  const std::string request =
      R"({"files":[{"name":"a.gguf","bytes":)" + std::to_string(size) + R"(,"size":1000000000000}]})" + "\n" + std::string(text);
  const std::string answer = read(request);
  fuzz::no_defect(wants(request));
  if (!fuzz::looked_at_closely(text)) return fuzz::no_defect(answer);
  const nlohmann::json read_as = fuzz::checked(answer);
  fuzz::checked(read(fuzz::request_of(text, "a.gguf")));
  fuzz::checked(read(fuzz::request_of(text, "a.gguf", R"({"model_type":"deepseek_v3"})")));
  if (read_as["ok"] != true || read_as["kind"] != "gguf") return 0;
  constexpr std::size_t least = 24;  // the minimum size in bytes of a tensor's entry in the header
  fuzz::require(std::stoull(read_as["totals"]["tensors"].get<std::string>()) <= size / least, "more tensors than bytes", answer);
  return 0;
}
