#include "core/storage.hpp"

#include <algorithm>
#include <iterator>

#include "core/published.hpp"
#include "core/quantity.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

Count up(Count a, Count b) { return (a + b - 1) / b; }

/// A matrix as files store it: `count` of them, each with `rows` of `width` numbers.
struct Matrix {
  Count count = 1, rows = 1, width = 1;
};

Matrix matrix_of(const Row& row) {
  Matrix out;
  const std::size_t n = row.shape.size();
  if (n > 0) out.width = row.shape[n - 1].value();
  if (n > 1) out.rows = row.shape[n - 2].value();
  for (std::size_t i = 0; i + 2 < n; ++i) out.count = multiply(out.count, row.shape[i].value());
  return out;
}

Count copies_of(const Row& row) {
  Count copies = 1;
  for (const Expr e : row.repeats) copies = multiply(copies, e.value());
  return copies;
}

/// How a matrix is packed in few bits: its numbers, and what stands beside them.
struct Packing {
  Text name;
  unsigned bits = 8;
  Count group = 0;      ///< numbers of a row that share a scale; 0: all of them
  Count rows = 1;       ///< rows that share it; 0: all of them
  unsigned scale = 32;  ///< bits of a scale
  unsigned zero = 0;    ///< bits of a zero point beside each scale
  Count word = 8;       ///< bits of what numbers are packed into, along a row or (`down`) a column
  bool down = false;    ///< packed along columns, the zero points along rows (GPTQ); else both along rows of the transposed matrix
  bool places = false;  ///< and the group of each column in 32 bits (GPTQ's g_idx)
  bool shape = false;   ///< and the shape, two numbers of 64 bits (compressed-tensors)
  bool whole = false;   ///< groups run through the whole matrix, not along its rows (bitsandbytes)
  Count nested = 0;     ///< the scales, eight bits each, share a second one of 32 bits, so many of them, and a table of 256
  Count table = 0;      ///< bytes of a table of values for each matrix
};

struct Bytes {
  Count numbers, beside;
};

Bytes packed(const Packing& p, const Matrix& m) {
  const Count groups = p.whole ? up(multiply(m.rows, m.width), p.group)
                               : multiply(p.rows == 0 ? 1 : up(m.rows, p.rows), p.group == 0 ? 1 : up(m.width, p.group));
  const Count per_word = p.word / p.bits;
  Bytes out{};
  // The matrix stands [out, in]; GPTQ packs numbers of the input, AWQ those of the output.
  if (p.word == 8)
    out.numbers = up(multiply(multiply(m.rows, m.width), p.bits), 8);
  else
    out.numbers = p.down ? multiply(multiply(up(m.width, per_word), m.rows), p.word / 8)
                         : multiply(multiply(up(m.rows, per_word), m.width), p.word / 8);
  out.beside = up(multiply(groups, p.nested > 0 ? 8U : p.scale), 8);
  if (p.nested > 0) out.beside += 4 * up(groups, p.nested) + 1024;
  if (p.zero > 0) out.beside += multiply(multiply(up(m.width, p.group == 0 ? m.width : p.group), up(m.rows, per_word)), p.word / 8);
  if (p.places) out.beside += 4 * m.width;
  if (p.shape) out.beside += 16;
  out.beside += p.table;
  return {multiply(out.numbers, m.count), multiply(out.beside, m.count)};
}

constexpr BlockFormat formats[] = {
    {"Q4_0", 32, 18},   {"Q4_1", 32, 20},     {"Q5_0", 32, 22},   {"Q5_1", 32, 24},   {"Q8_0", 32, 34},
    {"Q2_K", 256, 84},  {"Q3_K", 256, 110},   {"Q4_K", 256, 144}, {"Q5_K", 256, 176}, {"Q6_K", 256, 210},
    {"IQ4_NL", 32, 18}, {"IQ4_XS", 256, 136}, {"MXFP4", 32, 17},
};

/// What llama.cpp takes for rows that the blocks of a format do not divide; nothing: 16 bits.
const BlockFormat* instead_of(const BlockFormat& format) {
  const std::string_view name = format.name;
  if (name == "Q4_K") return block_format("Q5_0");
  if (name == "Q5_K") return block_format("Q5_1");
  if (name == "Q6_K") return block_format("Q8_0");
  return format.numbers == 256 ? block_format("IQ4_NL") : nullptr;
}

bool of_towers(const Row& row) { return row.part == Part::vision || row.part == Part::audio || row.part == Part::projector; }

class Store {
 public:
  Store(const Model& model, std::string_view wanted) : model_(model), wanted_(wanted) {}

  Storage store() {
    if (wanted_ == "published") {
      as_published();
    } else if (const BlockFormat* const format = block_format(wanted_)) {
      as_gguf(*format);
    } else if (wanted_ == "nf4") {
      quantised({.name = "nf4", .bits = 4, .group = 64, .whole = true, .table = 64}, {});
    } else {
      as_numbers();
    }
    for (const StoredRow& row : out_.rows) {
      if (row.loaded) out_.loaded = add(out_.loaded, row.bytes);
      out_.files = add(out_.files, row.bytes);
    }
    return std::move(out_);
  }

 private:
  void put(const Row& row, Text format, Count bytes, Count beside = 0) {
    if (bytes > 0) out_.rows.push_back({&row, format, bytes, beside, !is_prediction(row)});
  }

  [[nodiscard]] std::size_t index_of(const Row& row) const { return static_cast<std::size_t>(&row - model_.builder.rows().data()); }

  /// Runs `body` for each tensor that is stored, but those that other quantisations bring.
  template <class Body>
  void each(bool published, const Body& body) {
    for (const Row& row : model_.builder.rows()) {
      if (row.kind == Kind::tied || row.kind == Kind::possible) continue;
      if (row.kind == Kind::published && (!published || is_scale(row))) continue;
      body(row);
    }
  }

  /// The type of numbers that the configuration names.
  NumberType configured() {
    const Json root = model_.configuration.sections.front().json;
    for (const Json section : {root, root["text_config"]})
      for (const std::string_view field : {"dtype", "torch_dtype"})
        if (const Json given = section[field]; given.is(Json::Type::string))
          if (const NumberType type = number_type(given.string()); type.bits >= 16) return type;
    out_.note = "The configuration does not say in which type of numbers the weights are: 16 bits are taken.";
    return {"bfloat16", 16};
  }

  void plainly(const Row& row, NumberType type) {
    // What corrects a router's scores stays in 32 bits.
    const bool exact = row.kind == Kind::buffer && row.part == Part::router;
    put(row, exact ? "float32" : Text(type.name.data()), multiply(row.total.value(), exact ? 4 : type.bits / 8));
  }

  void as_numbers() {
    const NumberType type = number_type(wanted_);
    if (type.bits == 0)
      throw Error{ErrorCode::out_of_range, "weights",
                  concat({"\"", clipped(wanted_, 40), "\" is no way to store weights that is known here."})};
    if (type.bits == 4) return quantised({.name = "int4", .bits = 4, .group = 128, .scale = 16, .zero = 4, .word = 32}, {});
    if (type.bits == 8 && type.name.substr(0, 3) == "int") return quantised({.name = "int8"}, {});
    if (type.bits == 8) return quantised({.name = "float8", .group = 128, .rows = 128}, {});
    out_.format = std::string(type.name);
    each(false, [&](const Row& row) { plainly(row, type); });
  }

  /// Matrices of layers packed, but those that the configuration's lists leave out; the rest as the configuration says.
  void quantised(const Packing& p, Json quantization) {
    const NumberType type = configured();
    out_.format = std::string(std::string_view(p.name));
    const std::vector<Count> given = converted_copies(quantization, model_.builder.rows());
    each(static_cast<bool>(quantization), [&](const Row& row) {
      const Count copies = copies_of(row), converted = in_few_bits(row) ? given[index_of(row)] : 0;
      if (converted == 0) return plainly(row, type);
      const Bytes bytes = packed(p, matrix_of(row));
      put(row, p.name, multiply(converted, add(bytes.numbers, bytes.beside)), multiply(converted, bytes.beside));
      if (converted < copies) put(row, Text(type.name.data()), multiply(multiply(copies - converted, row.elements.value()), type.bits / 8));
    });
  }

  void as_gguf(const BlockFormat& format) {
    out_.format = std::string(std::string_view(format.name));
    const bool old = format.numbers == 32 && format.name != "Q8_0" && format.name != "IQ4_NL" && format.name != "MXFP4";
    bool has_head = false;
    each(false, [&](const Row& row) { has_head = has_head || (row.part == Part::output_head && row.role == Role::matrix); });
    each(false, [&](const Row& row) {
      if (of_towers(row)) return;
      const Count copies = copies_of(row);
      const Matrix m = matrix_of(row);
      const bool blocks = (row.role == Role::matrix || row.role == Role::table) && row.shape.size() > 1 && row.part != Part::router;
      if (!blocks) return put(row, "float32", multiply(row.total.value(), 4));
      const bool head = row.part == Part::output_head || (!has_head && row.part == Part::embedding && row.role == Role::table);
      const BlockFormat* own = head && old ? block_format("Q6_K") : &format;
      while (own != nullptr && m.width % own->numbers != 0) own = instead_of(*own);
      const Count lines = multiply(multiply(m.count, m.rows), copies);
      if (own == nullptr) return put(row, "float16", multiply(multiply(lines, m.width), 2));
      put(row, own->name, multiply(multiply(lines, m.width / own->numbers), own->bytes));
    });
    out_.note = "Every matrix in this format, norms and routers in 32 bits; mixtures as Q4_K_M vary from tensor to tensor.";
  }

  void as_published() {
    const Json quantization = model_.configuration.sections.front().json["quantization_config"];
    if (!quantization.is(Json::Type::object)) {
      const NumberType type = configured();
      out_.format = std::string(type.name);
      return each(true, [&](const Row& row) { plainly(row, type); });
    }
    const std::string_view method = word(quantization, "quant_method");
    if (method == "fp8" || method == "mxfp4")
      with_scales(quantization, method == "fp8");
    else if (const Packing p = packing(quantization, method); p.name.empty())
      out_.unknown =
          concat({"How ", method.empty() ? "this quantisation" : clipped(method, 40), " stores these weights is not known here."});
    else if (has_experts())
      out_.unknown = concat({"Which experts ", clipped(method, 40), " converts is not known here."});
    else
      quantised(p, quantization);
  }

  /// Eight or four bits whose scales are rows of their own.
  void with_scales(Json quantization, bool eight) {
    const NumberType type = configured();
    out_.format = eight ? "float8" : "MXFP4";
    bool scaled = false;
    const std::vector<Count> given = converted_copies(quantization, model_.builder.rows());
    for (const Row& row : model_.builder.rows()) {
      if (row.kind == Kind::tied || row.kind == Kind::possible) continue;
      if (is_scale(row)) {
        scaled = true;
        const Count bytes = multiply(row.total.value(), eight ? 4 : 1);
        out_.rows.push_back({&row, eight ? "float32" : "uint8", bytes, bytes, !scales_prediction(row.name)});
        continue;
      }
      const bool matrix = eight ? in_few_bits(row) : row.part == Part::feed_forward && row.shape.size() == 3;
      const Count copies = copies_of(row), converted = matrix ? given[index_of(row)] : 0;
      if (converted > 0) put(row, eight ? "float8" : "MXFP4", up(multiply(multiply(converted, row.elements.value()), eight ? 8 : 4), 8));
      if (converted == 0) plainly(row, type);
      if (converted > 0 && converted < copies)
        put(row, Text(type.name.data()), multiply(multiply(copies - converted, row.elements.value()), type.bits / 8));
    }
    if (!scaled) out_.unknown = "The scales of these weights are not known here.";
  }

  /// A prediction layer's scales belong to files alone, as it does.
  [[nodiscard]] bool scales_prediction(std::string_view name) const {
    const std::vector<Row>& rows = model_.builder.rows();
    return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return is_prediction(row) && name.starts_with(row.name); });
  }

  [[nodiscard]] bool has_experts() const {
    const std::vector<Row>& rows = model_.builder.rows();
    return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.part == Part::router; });
  }

  static std::string_view word(Json object, std::string_view field) {
    const Json given = object[field];
    return given.is(Json::Type::string) ? given.string() : std::string_view();
  }
  static Count number(Json object, std::string_view field, Count fallback) {
    const Json given = object[field];
    return given.is(Json::Type::integer) && !given.negative() ? given.magnitude() : fallback;
  }
  static bool flag(Json object, std::string_view field) {
    const Json given = object[field];
    return given.is(Json::Type::boolean) && given.boolean();
  }

  /// What a method stores; without a name where that is not known.
  static Packing packing(Json q, std::string_view method) {
    if (method == "bitsandbytes") {
      if (flag(q, "load_in_8bit")) return {.name = "int8"};
      if (!flag(q, "load_in_4bit")) return {};
      const Count block = 64;
      return {
          .name = "nf4", .bits = 4, .group = block, .whole = true, .nested = flag(q, "bnb_4bit_use_double_quant") ? 256U : 0U, .table = 64};
    }
    const Count bits = number(q, "bits", 0), group = number(q, "group_size", 0);  // −1: a scale for each row
    if (method == "gptq" && (bits == 4 || bits == 8))
      return {.name = bits == 4 ? "int4" : "int8",
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
    const std::string_view type = word(weights, "type"), strategy = word(weights, "strategy");
    const Count width = number(weights, "num_bits", 0);
    const Count size = strategy == "group" ? number(weights, "group_size", 0) : 0;
    const bool known = strategy == "channel" || strategy == "tensor" || (strategy == "group" && size > 0);
    if (!known || !flag(weights, "symmetric")) return {};
    const Count rows = strategy == "tensor" ? 0 : 1;
    if (width == 8) return {.name = type == "float" ? "float8" : "int8", .group = size, .rows = rows, .scale = 16};
    if (width != 4 || type != "int") return {};
    return {.name = "int4", .bits = 4, .group = size, .rows = rows, .scale = 16, .word = 32, .down = true, .shape = true};
  }

  const Model& model_;
  std::string_view wanted_;
  Storage out_;
};

}  // namespace

const BlockFormat* block_format(std::string_view name) {
  const auto* const found = std::find_if(std::begin(formats), std::end(formats), [&](const BlockFormat& f) { return f.name == name; });
  return found == std::end(formats) ? nullptr : found;
}

Storage storage_of(const Model& model, std::string_view wanted) { return Store(model, wanted).store(); }

}  // namespace param_ledger
