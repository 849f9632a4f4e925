// Fuzzes headers of safetensors files. If a header is read without a problem, another JSON parser must accept it and, below 2^53, find as
// many elements. Mutations change values and names, and in about half of the inputs they repair the offsets.

// Covers: core/inputs/tensors/safetensors_header.cpp core/inputs/tensors/json_scanner.cpp core/inputs/tensors/dtype.cpp
// Covers: core/inputs/tensors/quantized_rows.cpp core/inputs/tensors/split_name.cpp

#include "core/api/report.hpp"
#include "core/inputs/tensors/dtype.hpp"
#include "tests/fuzz/mutation.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using namespace param_ledger;

/// The number of elements according to nlohmann's reader, exact below 2^53.
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

/// Sets the offsets so that each tensor's data follows the previous tensor's, with the length that its shape and dtype require.
void put_in_order(fuzz::Tree& header) {
  std::uint64_t at = 0;
  for (auto& [name, tensor] : header.items()) {
    if (name == "__metadata__" || !tensor.is_object() || !tensor.contains("shape") || !tensor["shape"].is_array()) continue;
    if (!tensor.contains("dtype") || !tensor["dtype"].is_string()) tensor["dtype"] = "BF16";
    std::uint64_t length = bits(dtype_spelled(tensor["dtype"].get<std::string>()));
    for (const fuzz::Tree& dim : tensor["shape"])
      if (dim.is_number_unsigned()) length *= dim.get<std::uint64_t>();
    tensor["data_offsets"] = {at, at + length / 8};
    at += length / 8;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  static const std::vector<std::string> keys = {"__metadata__",
                                                "dtype",
                                                "shape",
                                                "data_offsets",
                                                "model.layers.0.weight",
                                                "model.layers.1.weight",
                                                "model.layers.2.weight",
                                                "a.0.b.1.c.2.d.3",
                                                "a.1.b.1.c.2.d.3",
                                                "m.qweight",
                                                "m.qzeros",
                                                "m.scales",
                                                "m.weight",
                                                "m.weight_scale",
                                                "m.weight_packed",
                                                "x_blocks",
                                                "x_scales",
                                                "m.weight.absmax"};
  static const std::vector<std::string> words = {"BF16", "F32", "F16",  "F64",     "I8",      "U8", "I16", "U32",
                                                 "I32",  "I64", "BOOL", "F8_E4M3", "F8_E5M2", "F4", "pt"};
  return fuzz::mutated_json(data, size, most, seed, keys, words, [](fuzz::Tree& tree, fuzz::Random& random) {
    if (random.chance(50)) put_in_order(tree);
  });
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  // The JSON scanner that reads headers also parses lists of tensors and shard indices, which have no data_offsets.
  if (text.find("data_offsets") == std::string_view::npos) fuzz::no_defect(read(fuzz::request_of(text, "")));
  // The length prefix is always correct, because inputs with a wrong length would be refused at once.
  std::string file;
  for (std::size_t i = 0; i < 8; ++i) file += static_cast<char>(size >> (8 * i) & 255U);
  file += text;
  const std::string read_as = read(fuzz::request_of(file, "model.safetensors"));
  if (!fuzz::looked_at_closely(text)) return fuzz::no_defect(read_as);
  fuzz::checked(read(fuzz::request_of(text, "model.safetensors")));  // the input as a whole file, without the length prefix
  const nlohmann::json answer = fuzz::checked(read_as);
  if (answer["ok"] != true || answer["partial"] != false) return 0;
  const nlohmann::json header = nlohmann::json::parse(text, nullptr, false);
  fuzz::require(header.is_object(), "read, and no JSON", text);
  const double sum = elements_of(header);
  constexpr double exact = 9007199254740992.0;
  if (sum < exact) fuzz::require(std::to_string(static_cast<std::uint64_t>(sum)) == answer["totals"]["elements"], "another sum", text);
  return 0;
}
