#include "core/memory/packing.hpp"

#include <utility>

#include "core/json/json_fields.hpp"

namespace param_ledger {

Matrix matrix_of(const Row& row) {
  Matrix out;
  const std::size_t n = row.shape.size();
  if (n > 0) out.width = row.shape[n - 1].peek();
  if (n > 1) out.rows = row.shape[n - 2].peek();
  for (std::size_t i = 0; i + 2 < n; ++i) out.count = multiply(out.count, row.shape[i].peek());
  return out;
}

Matrix unpacked_matrix_of(const Row& row) {
  Matrix out = matrix_of(row);
  if (row.shape.size() == 3 && row.name.ends_with("gate_up_proj")) {
    out.count = multiply(out.count, 2);
    out.rows /= 2;
  }
  return out;
}

PackedBytes packed(const Packing& p, const Matrix& m) {
  const Count groups = p.whole ? rounded_up(multiply(m.rows, m.width), p.group)
                               : multiply(p.rows == 0 ? 1 : rounded_up(m.rows, p.rows), p.group == 0 ? 1 : rounded_up(m.width, p.group));
  PackedBytes out{};
  // The number of words that hold this many packed numbers: 32 three-bit numbers fill three 32-bit words.
  const auto words = [&](Count numbers) { return rounded_up(multiply(numbers, p.bits), p.word); };
  // The matrix is taken to have shape [out, in]. GPTQ packs numbers along the inputs, AWQ along the outputs.
  if (p.word == 8)
    out.numbers = words(multiply(m.rows, m.width));
  else
    out.numbers = multiply(p.down ? multiply(words(m.width), m.rows) : multiply(words(m.rows), m.width), p.word / 8);
  out.beside = rounded_up(multiply(groups, p.nested > 0 ? 8U : p.scale), 8);
  if (p.nested > 0) out.beside += 4 * rounded_up(groups, p.nested) + 1024;
  if (p.zero > 0) out.beside += multiply(multiply(rounded_up(m.width, p.group == 0 ? m.width : p.group), words(m.rows)), p.word / 8);
  if (p.places) out.beside += 4 * m.width;
  if (p.shape) out.beside += 16;
  out.beside += p.table;
  return {multiply(out.numbers, m.count), multiply(out.beside, m.count)};
}

namespace {

/// The name of an integer type with 2, 3, 4 or 8 bits; empty for any other number of bits.
Text integer_name(Count bits) {
  static constexpr std::pair<unsigned, Text> names[] = {{2, "int2"}, {3, "int3"}, {4, "int4"}, {8, "int8"}};
  for (const auto& [known, name] : names)
    if (known == bits) return name;
  return {};
}

Packing bitsandbytes(Json q) {
  if (flag_in(q, "load_in_8bit")) return {.name = "int8", .table = 1};  // one extra byte records the memory layout of the matrix
  if (!flag_in(q, "load_in_4bit")) return {};
  const Count nested = flag_in(q, "bnb_4bit_use_double_quant") ? 256U : 0U;
  return {.name = "nf4", .bits = 4, .group = 64, .whole = true, .nested = nested, .table = 64};
}

/// A group size of -1, read as 0 by `number_in`, means one scale per row.
Packing gptq(Json q) {
  const Count bits = number_in(q, "bits", 0);
  return {.name = integer_name(bits),
          .bits = static_cast<unsigned>(bits),
          .group = number_in(q, "group_size", 0),
          .scale = 16,
          .zero = static_cast<unsigned>(bits),
          .word = 32,
          .down = true,
          .places = true};
}

Packing awq(Json q) {
  if (number_in(q, "bits", 0) != 4) return {};
  return {.name = "int4", .bits = 4, .group = number_in(q, "group_size", 0), .scale = 16, .zero = 4, .word = 32};
}

/// Whether any module name in the list is a pattern: a regular expression, or a name in which `*` is only a part of a segment.
bool has_pattern(Json modules) {
  for (const auto& [_, name] : modules.members()) {
    if (!name.is(Json::Type::string)) continue;
    const std::string_view words = name.string();
    if (words.starts_with("re:")) return true;
    for (std::size_t at = words.find('*'); at != std::string_view::npos; at = words.find('*', at + 1))
      if ((at > 0 && words[at - 1] != '.') || (at + 1 < words.size() && words[at + 1] != '.')) return true;
  }
  return false;
}

/// NVFP4: two numbers in a byte, an 8-bit scale for each 16 numbers of a row, a 32-bit scale for the whole weight and, if the input is
/// quantized, one for the input.
Packing nvfp4(bool input) { return {.name = "NVFP4", .bits = 4, .group = 16, .scale = 8, .table = input ? 8U : 4U}; }

/// The only entry of `config_groups`; empty if there are several or none.
Json only_group(Json q) {
  const Json groups = q["config_groups"];
  return groups.size() == 1 ? (*groups.members().begin()).value : Json{};
}

/// Source: NVIDIA's TensorRT Model Optimizer, modelopt/torch/export. Linear layers also store a scale of their inputs.
Packing modelopt(Json q) {
  if (has_pattern(q["ignore"]) || has_pattern(q["exclude_modules"])) return {};
  const std::string_view algorithm = word_in(q, "quant_algo");
  if (algorithm == "FP8") return {.name = "float8", .rows = 0, .table = 4};
  const Count group = number_in(q, "group_size", number_in(only_group(q)["weights"], "group_size", 16));
  return algorithm == "NVFP4" && group == 16 ? nvfp4(true) : Packing{};
}

/// Reads a configuration with a single group whose weights are NVFP4 or, in some formats, symmetric. The result has no name for any other.
/// `targets` and `ignore` are read in module_patterns.cpp.
Packing compressed_tensors(Json q) {
  const Json weights = only_group(q)["weights"];
  const std::string_view type = word_in(weights, "type"), strategy = word_in(weights, "strategy"), format = word_in(q, "format");
  const Count bits = number_in(weights, "num_bits", 0), group = strategy == "group" ? number_in(weights, "group_size", 0) : 0;
  if (format == "nvfp4-pack-quantized" && type == "float" && bits == 4 && number_in(weights, "group_size", 0) == 16)
    return nvfp4(only_group(q)["input_activations"].is(Json::Type::object));
  const bool known = strategy == "channel" || strategy == "tensor" || (strategy == "group" && group > 0);
  if (!known || !flag_in(weights, "symmetric")) return {};
  const Count rows = strategy == "tensor" ? 0 : 1;
  if (type == "float" && bits == 8) return {.name = "float8", .group = group, .rows = rows, .scale = 16};
  if (type != "int" || (bits != 4 && bits != 8)) return {};
  // `format` determines whether numbers are stored as whole bytes or packed into words. If it is missing, numbers of 8 bits are whole
  // bytes.
  if (format == "int-quantized" || format == "naive-quantized" || (format.empty() && bits == 8))
    return {.name = "int8", .group = group, .rows = rows, .scale = 16};
  if (format != "pack-quantized" && !format.empty()) return {};
  return {.name = integer_name(bits),
          .bits = static_cast<unsigned>(bits),
          .group = group,
          .rows = rows,
          .scale = 16,
          .word = 32,
          .down = true,
          .shape = true};
}

}  // namespace

Packing packing_of(Json quantization, std::string_view method) {
  static constexpr std::pair<std::string_view, Packing (*)(Json)> methods[] = {
      {"bitsandbytes", bitsandbytes}, {"gptq", gptq}, {"awq", awq}, {"compressed-tensors", compressed_tensors}, {"modelopt", modelopt}};
  for (const auto& [name, read] : methods)
    if (name == method) return read(quantization);
  return {};
}

}  // namespace param_ledger
