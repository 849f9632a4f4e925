#include "core/inputs/tensors/quantized_rows.hpp"

#include "core/support/hash_index.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The name suffix of a scale, and the suffix of the tensor that it scales.
struct Beside {
  std::string_view ending;
  std::string_view of;
};

constexpr Beside scales[] = {
    {".qzeros", ".qweight"},
    {".scales", ".qweight"},
    {".g_idx", ".qweight"},
    {".scales", ".weight"},  // MLX
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
  auto of(std::string_view name) const {
    return [this, name](std::size_t i) { return rows_[i].name == name; };
  }

 public:
  explicit Marker(std::vector<ListedRow>& rows) : rows_(rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) index_.find_or_add(hash_of(rows[i].name), i, of(rows[i].name));
  }

  void mark(ListedRow& row) {
    // Booleans and 64-bit integers are not trained: they are masks and positions.
    const std::string_view type = spelling(row.dtype);
    if (names_buffer(row.name) || (row.kind == ListedKind::parameter && (type == "BOOL" || type == "I64"))) row.kind = ListedKind::buffer;
    for (const Beside& known : scales) {
      if (!ends(row.name, known.ending) || find(row.name, known.ending, known.of) == nullptr) continue;
      row.kind = ListedKind::scale;
      return;
    }
    const bool words = type == "I32" || type == "U32";
    if (ends(row.name, ".qweight") && (words || row.dtype == 0)) {
      // Zero points are packed like the weights, scales are not.
      const ListedRow* const zeros = find(row.name, ".qweight", ".qzeros");
      const ListedRow* const unpacked = find(row.name, ".qweight", ".scales");
      const bool derived = zeros != nullptr && unpacked != nullptr && zeros->elements > 0 && unpacked->elements % zeros->elements == 0;
      pack(row, derived ? unpacked->elements / zeros->elements : 8, !derived);
    } else if (ends(row.name, ".weight_packed")) {
      pack(row, words ? 8 : 2, words);
    } else if (type == "U8" && ((ends(row.name, "_blocks") && find(row.name, "_blocks", "_scales") != nullptr) ||
                                find(row.name, "", ".absmax") != nullptr ||
                                (ends(row.name, ".weight") && find(row.name, ".weight", ".weight_scale_2") != nullptr))) {
      pack(row, 2, false);
    } else if (type == "U32" && ends(row.name, ".weight")) {
      constexpr std::uint64_t usual_group = 64;
      const ListedRow* const groups = find(row.name, ".weight", ".scales");
      if (groups != nullptr && row.elements > 0 && groups->elements * usual_group % row.elements == 0)
        pack(row, groups->elements * usual_group / row.elements, true);
    }
  }

 private:
  static bool ends(std::string_view name, std::string_view ending) { return name.ends_with(ending); }

  /// The row with `ending` replaced by `other` in its name; null if there is none.
  [[nodiscard]] const ListedRow* find(std::string_view name, std::string_view ending, std::string_view other) const {
    const std::string wanted = concat({name.substr(0, name.size() - ending.size()), other});
    const std::size_t found = index_.find(hash_of(wanted), rows_.size(), of(wanted));
    return found < rows_.size() ? &rows_[found] : nullptr;
  }
  static void pack(ListedRow& row, Count numbers, bool taken) {
    if (numbers < 1 || numbers > 32) return;
    row.kind = ListedKind::packed;
    row.numbers = multiply(row.elements, numbers);
    row.taken = taken;
  }

  std::vector<ListedRow>& rows_;
  HashIndex index_;
};

}  // namespace

void mark_quantized(std::vector<ListedRow>& rows) {
  Marker marker(rows);
  for (ListedRow& row : rows) marker.mark(row);
}

}  // namespace param_ledger
