#include "core/inputs/tensors/quantized_rows.hpp"

#include <algorithm>

#include "core/support/hash_index.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The suffix of the name of a scale or another auxiliary tensor, and the suffix that the quantized tensor's name has instead.
struct Scale {
  std::string_view ending;
  std::string_view of;
};

constexpr Scale scales[] = {
    {".qzeros", ".qweight"},
    {".scales", ".qweight"},
    {".g_idx", ".qweight"},
    {".scales", ".weight"},  // MLX's scales
    {".biases", ".weight"},
    {".SCB", ".weight"},
    {".weight_format", ".weight"},
    {".weight_scale_inv", ".weight"},
    {".weight_scale", ".weight"},
    {".weight_scale_2", ".weight"},
    {".input_scale", ".weight"},
    {".activation_scale", ".weight"},
    {".weight_scale", ".weight_packed"},
    {".weight_zero_point", ".weight_packed"},
    {".weight_shape", ".weight_packed"},
    {".weight_g_idx", ".weight_packed"},
    {".weight_global_scale", ".weight_packed"},
    {".input_global_scale", ".weight_packed"},
    {".weight.absmax", ".weight"},
    {".weight.quant_map", ".weight"},
    {".weight.nested_absmax", ".weight"},
    {".weight.nested_quant_map", ".weight"},
    {".weight.quant_state.bitsandbytes__nf4", ".weight"},
    {".weight.quant_state.bitsandbytes__fp4", ".weight"},
    {"_scales", "_blocks"},
    {"_scale_inv", ""},
    {".scale", ".weight"},
};

class Marker {
  [[nodiscard]] auto name_of_row() const {
    return [this](std::size_t i) -> std::string_view { return rows_[i].name; };
  }

 public:
  explicit Marker(std::vector<ListedRow>& rows) : rows_(rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) index_.intern(rows[i].name, i, name_of_row());
  }

  void mark(ListedRow& row) {
    const std::string_view type = spelling(row.dtype);
    // Booleans and 64-bit integers are taken for masks, positions or counters, because they cannot be trained.
    const bool is_untrained = row.kind == ListedKind::parameter && (type == "BOOL" || type == "I64");
    if (names_buffer(row.name) || is_untrained) row.kind = ListedKind::buffer;
    if (is_scale(row))
      row.kind = ListedKind::scale;
    else
      mark_packed(row, type);
  }

 private:
  [[nodiscard]] bool is_scale(const ListedRow& row) const {
    return std::any_of(std::begin(scales), std::end(scales), [&](const Scale& known) {
      return ends(row.name, known.ending) && find(row.name, known.ending, known.of) != nullptr;
    });
  }

  void mark_packed(ListedRow& row, std::string_view type) const {
    const bool is_words = type == "I32" || type == "U32";
    if (ends(row.name, ".qweight") && (is_words || row.dtype == 0))
      mark_gptq(row);
    else if (ends(row.name, ".weight_packed"))
      pack(row, is_words ? 8 : 2, is_words);
    else if (type == "U8" && holds_pairs(row.name))
      pack(row, 2, false);
    else if (type == "U32" && ends(row.name, ".weight"))
      mark_mlx(row);
  }

  /// Handles GPTQ and AWQ, which pack zero points like weights, but do not pack scales. The number of scales divided by the number of
  /// elements that hold zero points is the number of weights per stored element.
  void mark_gptq(ListedRow& row) const {
    const ListedRow* const zeros = find(row.name, ".qweight", ".qzeros");
    const ListedRow* const scale = find(row.name, ".qweight", ".scales");
    const bool derived = zeros != nullptr && scale != nullptr && zeros->elements > 0 && scale->elements % zeros->elements == 0;
    pack(row, derived ? scale->elements / zeros->elements : 8, !derived);
  }

  /// Handles MLX, which stores one scale for each group of weights, usually 64 weights.
  void mark_mlx(ListedRow& row) const {
    constexpr std::uint64_t usual_group = 64;
    const ListedRow* const groups = find(row.name, ".weight", ".scales");
    if (groups != nullptr && row.elements > 0 && groups->elements * usual_group % row.elements == 0)
      pack(row, groups->elements * usual_group / row.elements, true);
  }

  /// Whether each byte holds two 4-bit numbers, as in MXFP4, bitsandbytes and NVFP4. This is recognised from the other tensors of the same
  /// module.
  [[nodiscard]] bool holds_pairs(std::string_view name) const {
    return (ends(name, "_blocks") && find(name, "_blocks", "_scales") != nullptr) || find(name, "", ".absmax") != nullptr ||
           (ends(name, ".weight") && find(name, ".weight", ".weight_scale_2") != nullptr);
  }

  static bool ends(std::string_view name, std::string_view ending) { return name.ends_with(ending); }

  /// The row whose name ends in `other` instead of `ending`; null if there is none.
  [[nodiscard]] const ListedRow* find(std::string_view name, std::string_view ending, std::string_view other) const {
    const std::string wanted = concat({name.substr(0, name.size() - ending.size()), other});
    const std::size_t found = index_.find(wanted, rows_.size(), name_of_row());
    return found < rows_.size() ? &rows_[found] : nullptr;
  }
  static void pack(ListedRow& row, Count numbers, bool taken) {
    if (numbers < 1 || numbers > 32) return;
    row.kind = ListedKind::packed;
    row.numbers = multiply(row.elements, numbers);
    row.taken = taken;
  }

  std::vector<ListedRow>& rows_;
  StringIndex index_;
};

}  // namespace

void mark_quantized(std::vector<ListedRow>& rows) {
  Marker marker(rows);
  for (ListedRow& row : rows) marker.mark(row);
}

}  // namespace param_ledger
