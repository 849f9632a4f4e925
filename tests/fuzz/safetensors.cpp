// The header of a safetensors file. What is read without a problem must be JSON to another reader, and come to the same sum there.

#include "core/report.hpp"
#include "tests/fuzz/target.hpp"

namespace {

/// The sum of elements by nlohmann's reader, as long as it stays below 2^53.
double elements_of(const nlohmann::json& header) {
  double sum = 0;
  for (const auto& [name, tensor] : header.items()) {
    if (name == "__metadata__") continue;
    double elements = 1;
    for (const auto& dim : tensor["shape"]) elements *= dim.get<double>();
    sum += elements;
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  // The length before it is right: mutations of that would end there.
  std::string file;
  for (std::size_t i = 0; i < 8; ++i) file += static_cast<char>(size >> (8 * i) & 255U);
  const std::string_view text = fuzz::text_of(data, size);
  file += text;
  const nlohmann::json answer = fuzz::checked(read(fuzz::request_of(file, "model.safetensors")));
  fuzz::checked(read(fuzz::request_of(text, "model.safetensors")));  // its bytes as they are
  if (answer["ok"] != true || answer["partial"] != false) return 0;
  const nlohmann::json header = nlohmann::json::parse(text, nullptr, false);
  fuzz::require(header.is_object(), "read, and no JSON", text);
  const double sum = elements_of(header);
  constexpr double exact = 9007199254740992.0;
  if (sum < exact) fuzz::require(std::to_string(static_cast<std::uint64_t>(sum)) == answer["totals"]["elements"], "another sum", text);
  return 0;
}
