#include "core/memory/packing.hpp"

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
  // Words that so many numbers take: three bits fill 32 of them in three words.
  const auto words = [&](Count numbers) { return rounded_up(multiply(numbers, p.bits), p.word); };
  // The matrix stands [out, in]; GPTQ packs numbers of the input, AWQ those of the output.
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

Packing packing_of(Json q, std::string_view method) {
  if (method == "bitsandbytes") {
    if (flag_in(q, "load_in_8bit")) return {.name = "int8", .table = 1};  // a byte says how the matrix stands
    if (!flag_in(q, "load_in_4bit")) return {};
    const Count block = 64;
    return {.name = "nf4",
            .bits = 4,
            .group = block,
            .whole = true,
            .nested = flag_in(q, "bnb_4bit_use_double_quant") ? 256U : 0U,
            .table = 64};
  }
  const Count bits = number_in(q, "bits", 0), group = number_in(q, "group_size", 0);  // −1: a scale for each row
  if (method == "gptq" && (bits == 2 || bits == 3 || bits == 4 || bits == 8))
    return {.name = bits == 2   ? "int2"
                    : bits == 3 ? "int3"
                    : bits == 4 ? "int4"
                                : "int8",
            .bits = static_cast<unsigned>(bits),
            .group = group,
            .scale = 16,
            .zero = static_cast<unsigned>(bits),
            .word = 32,
            .down = true,
            .places = true};
  if (method == "awq" && bits == 4) return {.name = "int4", .bits = 4, .group = group, .scale = 16, .zero = 4, .word = 32};
  if (method != "compressed-tensors") return {};
  for (const auto& [_, name] : q["ignore"].members())
    if (name.is(Json::Type::string) && name.string().starts_with("re:")) return {};  // a pattern, which is not read here
  const Json groups = q["config_groups"];
  const Json weights = groups.size() == 1 ? (*groups.members().begin()).value["weights"] : Json{};
  const std::string_view type = word_in(weights, "type"), strategy = word_in(weights, "strategy");
  const Count width = number_in(weights, "num_bits", 0);
  const Count size = strategy == "group" ? number_in(weights, "group_size", 0) : 0;
  const bool known = strategy == "channel" || strategy == "tensor" || (strategy == "group" && size > 0);
  if (!known || !flag_in(weights, "symmetric")) return {};
  const Count rows = strategy == "tensor" ? 0 : 1;
  if (width == 8 && type == "float") return {.name = "float8", .group = size, .rows = rows, .scale = 16};
  if ((width != 4 && width != 8) || type != "int") return {};
  // Numbers stand in whole bytes or packed into words, as `format` says.
  const std::string_view format = word_in(q, "format");
  if (format == "int-quantized" || format == "naive-quantized" || (format.empty() && width == 8))
    return {.name = "int8", .group = size, .rows = rows, .scale = 16};
  if (format != "pack-quantized" && !format.empty()) return {};
  return {.name = width == 4 ? "int4" : "int8",
          .bits = static_cast<unsigned>(width),
          .group = size,
          .rows = rows,
          .scale = 16,
          .word = 32,
          .down = true,
          .shape = true};
}

}  // namespace param_ledger
