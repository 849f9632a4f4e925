#include "core/memory/storage.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/json/json_fields.hpp"
#include "core/memory/gguf_storage.hpp"
#include "core/memory/module_patterns.hpp"
#include "core/memory/packing.hpp"
#include "core/memory/stored_rows.hpp"
#include "core/model/quantized_files.hpp"
#include "core/support/quantity.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

class Store {
 public:
  Store(const Model& model, const std::vector<Row>& rows, std::string_view wanted) : rows_(model, rows), wanted_(wanted) {}

  Storage store() {
    if (wanted_ == "published")
      as_published();
    else if (wanted_ == "nf4")
      quantised({.name = "nf4", .bits = 4, .group = 64, .whole = true, .table = 64});
    else if (!store_as_gguf(rows_, wanted_))
      as_numbers();
    for (const StoredRow& row : out().rows) {
      if (row.loaded) out().loaded = add(out().loaded, row.bytes);
      out().files = add(out().files, row.bytes);
    }
    return std::move(out());
  }

 private:
  [[nodiscard]] const Model& model() const { return rows_.model(); }
  [[nodiscard]] Storage& out() { return rows_.out(); }
  void put(const Row& row, Text format, Count bytes, Count beside = 0) { rows_.put(row, format, bytes, beside); }
  template <class Body>
  void each(bool published, const Body& body) {
    rows_.each(published, body);
  }

  [[nodiscard]] std::size_t index_of(const Row& row) const { return static_cast<std::size_t>(&row - rows_.rows().data()); }

  /// The number type that the configuration gives for the weights. If it gives none of at least 16 bits, bfloat16, and a note says so.
  NumberType configured() {
    if (const NumberType type = configured_type(model().configuration.sections.front().json, 16); type.bits != 0) return type;
    out().note = "The configuration does not give the data type of the weights: 16 bits are assumed.";
    return {"bfloat16", 16};
  }

  void plainly(const Row& row, NumberType type) {
    // The router's score correction stays in 32 bits, regardless of the type of the weights. Prediction layers in files also have it.
    const bool exact = (row.kind == Kind::buffer && row.in_text(Part::router)) ||
                       (row.kind == Kind::published && row.name.ends_with("gate.e_score_correction_bias"));
    put(row, exact ? "float32" : type.name, multiply(row.total.peek(), exact ? 4 : type.bits / 8));
  }

  void as_numbers() {
    const NumberType type = number_type(wanted_);
    if (type.bits == 0)
      throw Error{ErrorCode::out_of_range, "weights", concat({"\"", clipped(wanted_, 40), "\" is not a known way to store weights."})};
    if (type.bits == 4) return quantised({.name = "int4", .bits = 4, .group = 128, .scale = 16, .zero = 4, .word = 32});
    if (type.bits == 8 && std::string_view(type.name).starts_with("int")) return quantised({.name = "int8"});
    if (type.bits == 8) return quantised({.name = "float8", .group = 128, .rows = 128});
    out().format = std::string(type.name);
    each(false, [&](const Row& row) { plainly(row, type); });
  }

  /// Packs the matrices that quantization methods usually convert. All other tensors are stored by `plainly` in the configured type.
  void quantised(const Packing& p) { quantised(p, converted_copies({}, rows_.rows()), false); }

  /// Packs the given number of copies of each row; `given` has one number for each row.
  void quantised(const Packing& p, const std::vector<Count>& given, bool published) {
    const NumberType type = configured();
    out().format = std::string(std::string_view(p.name));
    each(published, [&](const Row& row) {
      const Count copies = copies_of(row), converted = in_few_bits(row) ? given[index_of(row)] : 0;
      if (converted == 0) return plainly(row, type);
      const PackedBytes bytes = packed(p, unpacked_matrix_of(row));
      put(row, p.name, multiply(converted, add(bytes.numbers, bytes.beside)), multiply(converted, bytes.beside));
      if (converted < copies) put(row, type.name, multiply(multiply(copies - converted, row.elements.peek()), type.bits / 8));
    });
  }

  /// For each row, how many of its copies are quantized in the published files.
  [[nodiscard]] ConvertedCopies given_copies(Json quantization) const {
    if (quantization["config_groups"]) return converted_by_patterns(quantization, rows_.rows());
    return {converted_copies(quantization, rows_.rows()), {}};
  }

  void as_published() {
    const auto [field, quantization] = quantization_of(model().configuration.sections.front().json);
    if (field.empty()) {
      const NumberType type = configured();
      out().format = std::string(type.name);
      return each(true, [&](const Row& row) { plainly(row, type); });
    }
    const std::string_view method = word_in(quantization, "quant_method", field == "compression_config" ? "compressed-tensors" : "");
    if (method == "fp8" || method == "mxfp4") return with_scales(quantization, method == "fp8");
    if (const Count group = mlx_group(quantization); group != 0) return as_mlx(quantization, group);
    const Packing p = packing_of(quantization, method);
    if (p.name.empty()) {
      out().unknown = concat({"How ", method.empty() ? "this quantisation" : clipped(method, 40), " stores these weights is not known."});
      return;
    }
    const ConvertedCopies given = given_copies(quantization);
    out().unknown = given.unknown.empty() ? unknown_experts(given.copies, method) : given.unknown;
    if (out().unknown.empty()) quantised(p, given.copies, true);
  }

  /// Why it is not known how the experts or the router of a mixture are stored. Empty if each expert is stored as linear layers that are
  /// packed like all others, and for a model without experts.
  [[nodiscard]] std::string unknown_experts(const std::vector<Count>& given, std::string_view method) const {
    const std::vector<Row>& rows = rows_.rows();
    if (!has_experts()) return {};
    const auto unknown = [&](const Row& row) {
      return concat({"Whether ", clipped(method, 40), " converts ", row.name, " is not known."});
    };
    const Expr hidden = hidden_size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[i];
      if (row.storage != StorageKind::matrix || row.kind == Kind::possible || row.kind == Kind::published) continue;
      // Programs that write GPTQ files skip routers. Whether other programs do so is not known unless the configuration excludes routers.
      if (row.in_text(Part::router) && method != "gptq" && given[i] > 0) return unknown(row);
      if (!row.in_text(Part::feed_forward)) continue;
      const bool expert = row.shape.size() == 3 || row.name.find("experts.[") != std::string::npos;
      // bitsandbytes skips experts that are not linear layers. Whether they are linear layers depends on when the files were written.
      if (expert && method == "bitsandbytes") return unknown(row);
      if (row.shape.size() != 3) continue;
      const bool in = row.name.ends_with("gate_up_proj") && hidden && row.shape[2].peek() == hidden.peek();
      const bool out = row.name.ends_with("down_proj") && hidden && row.shape[1].peek() == hidden.peek();
      if (!in && !out) return unknown(row);
    }
    return {};
  }

  /// The width of the text model's first embedding table; empty if there is none.
  [[nodiscard]] Expr hidden_size() const {
    for (const Row& row : rows_.rows())
      if (row.in_text(Part::embedding) && row.storage == StorageKind::table && row.shape.size() == 2) return row.shape[1];
    return {};
  }

  /// The group size of MLX's format; 0 for any other format, and for MLX with separate settings for single layers. An MLX configuration has
  /// no quant_method.
  static Count mlx_group(Json q) {
    if (q["quant_method"] || number_in(q, "bits", 0) == 0) return 0;
    for (const auto& [name, value] : q.members())
      if (value.is(Json::Type::object) || value.is(Json::Type::boolean)) return 0;
    const std::string_view mode = word_in(q, "mode");
    return mode.empty() || mode == "affine" ? number_in(q, "group_size", 0) : 0;
  }

  /// Packs matrices and tables in 32-bit words, with a 16-bit scale and a 16-bit bias for each group of a row. Towers, and rows that groups
  /// do not fill, stay unpacked.
  void as_mlx(Json q, Count group) {
    const Count bits = number_in(q, "bits", 0);
    constexpr Count widths[] = {2, 3, 4, 5, 6, 8};  // the bit widths that mlx.core.quantize supports
    if (std::find(std::begin(widths), std::end(widths), bits) == std::end(widths)) {
      out().unknown = concat({"bits of MLX's quantisation must be 2, 3, 4, 5, 6 or 8, not ", grouped_digits(bits), "."});
      return;
    }
    const NumberType type = configured();
    out().format = concat({"int", digits(bits)});
    const Text name = bits == 4 ? Text("int4") : bits == 8 ? Text("int8") : Text("int");
    each(false, [&](const Row& row) {
      const Matrix m = matrix_of(row);
      const bool matrix =
          (row.storage == StorageKind::matrix || row.storage == StorageKind::table) && row.shape.size() > 1 && !row.in_tower();
      if (!matrix || m.width % group != 0) return plainly(row, type);
      const Count lines = multiply(multiply(m.count, m.rows), copies_of(row)), beside = multiply(lines, 4 * (m.width / group));
      put(row, name, add(multiply(lines, rounded_up(m.width * bits, 32) * 4), beside), beside);
    });
    if (has_experts()) out().unknown = "Whether this quantisation converts routers is not known.";
  }

  /// Packs the converted matrices in eight bits (fp8) or four bits (MXFP4). The scales of a matrix are in a separate row.
  void with_scales(Json quantization, bool eight) {
    const NumberType type = configured();
    out().format = eight ? "float8" : "MXFP4";
    if (eight) out().note = "Scales are in 32 bits, as transformers loads them; some publishers' files store them in 16 bits.";
    bool scaled = false, packs = false;
    const std::vector<Count> given = converted_copies(quantization, rows_.rows());
    for (const Row& row : rows_.rows()) {
      if (row.kind == Kind::tied || row.kind == Kind::possible) continue;
      if (is_scale(row)) {
        scaled = true;
        const Count bytes = multiply(row.total.peek(), eight ? 4 : 1);
        out().rows.push_back({&row, eight ? "float32" : "uint8", bytes, bytes, !scales_prediction(row.name)});
        continue;
      }
      const bool matrix = eight ? in_few_bits(row) : row.in_text(Part::feed_forward) && row.shape.size() == 3;
      const Count copies = copies_of(row), converted = matrix ? given[index_of(row)] : 0;
      packs = packs || converted > 0;
      if (converted > 0)
        put(row, eight ? "float8" : "MXFP4", rounded_up(multiply(multiply(converted, row.elements.peek()), eight ? 8 : 4), 8));
      if (converted == 0) plainly(row, type);
      if (converted > 0 && converted < copies)
        put(row, type.name, multiply(multiply(copies - converted, row.elements.peek()), type.bits / 8));
    }
    if (!packs)
      out().format = std::string(type.name);
    else if (!scaled)
      out().unknown = "How files store the scales of these weights is not known.";
  }

  /// Whether the scales with this name belong to a prediction layer. Like the layer itself, they are then in the files but not loaded.
  [[nodiscard]] bool scales_prediction(std::string_view name) const {
    const std::vector<Row>& rows = rows_.rows();
    return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return is_prediction(row) && name.starts_with(row.name); });
  }

  [[nodiscard]] bool has_experts() const {
    const std::vector<Row>& rows = rows_.rows();
    return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.in_text(Part::router); });
  }

  StoredRows rows_;
  std::string_view wanted_;
};

}  // namespace

NumberType configured_type(Json root, unsigned least_bits) {
  for (const Json section : {root, root["text_config"]})
    for (const std::string_view field : {"dtype", "torch_dtype"})
      if (const Json given = section[field]; given.is(Json::Type::string))
        if (const NumberType type = number_type(given.string()); type.bits >= least_bits) return type;
  return {"", 0};
}

Storage storage_of(const Model& model, std::string_view wanted) { return storage_of(model, model.builder.rows(), wanted); }

Storage storage_of(const Model& model, const std::vector<Row>& rows, std::string_view wanted) { return Store(model, rows, wanted).store(); }

}  // namespace param_ledger
