#include "core/storage.hpp"

#include <algorithm>
#include <iterator>

#include "core/prediction_layers.hpp"
#include "core/quantity.hpp"
#include "core/quantized_files.hpp"
#include "core/roles.hpp"
#include "core/row_names.hpp"
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

/// The linear layers that a row's matrices are in files where experts are packed: gate and up are one each.
Matrix linear_layers(const Row& row) {
  Matrix out = matrix_of(row);
  if (row.shape.size() == 3 && row.name.ends_with("gate_up_proj")) {
    out.count = multiply(out.count, 2);
    out.rows /= 2;
  }
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
  Bytes out{};
  // Words that so many numbers take: three bits fill 32 of them in three words.
  const auto words = [&](Count numbers) { return up(multiply(numbers, p.bits), p.word); };
  // The matrix stands [out, in]; GPTQ packs numbers of the input, AWQ those of the output.
  if (p.word == 8)
    out.numbers = words(multiply(m.rows, m.width));
  else
    out.numbers = multiply(p.down ? multiply(words(m.width), m.rows) : multiply(words(m.rows), m.width), p.word / 8);
  out.beside = up(multiply(groups, p.nested > 0 ? 8U : p.scale), 8);
  if (p.nested > 0) out.beside += 4 * up(groups, p.nested) + 1024;
  if (p.zero > 0) out.beside += multiply(multiply(up(m.width, p.group == 0 ? m.width : p.group), words(m.rows)), p.word / 8);
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

/// llama.cpp's mixtures of formats: what a matrix has depends on what it does and on its layer.
struct Mixture {
  Text name;
  Text most;
  Text better;  ///< values and what leads back from the feed-forward block, in some of the layers
  Text fused;   ///< queries, keys and values in one matrix
};
constexpr Mixture mixtures[] = {{"Q4_K_M", "Q4_K", "Q6_K", "Q5_K"}, {"Q5_K_M", "Q5_K", "Q6_K", "Q6_K"}};

/// The layers that such a mixture stores better: the first and the last eighth, and each third of the others.
bool is_better(std::uint64_t layer, std::uint64_t n_layers) {
  return layer < n_layers / 8 || layer >= 7 * n_layers / 8 || (layer - n_layers / 8) % 3 == 2;
}

/// llama.cpp does not touch tables of positions and of kinds of tokens.
bool is_token_table(const Row& row) {
  return row.name.find("pos") == std::string::npos && row.name.find("wpe") == std::string::npos &&
         row.name.find("token_type") == std::string::npos;
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
    } else if (const auto* const mixture =
                   std::find_if(std::begin(mixtures), std::end(mixtures), [&](const Mixture& m) { return m.name == wanted_; });
               mixture != std::end(mixtures)) {
      as_mixture(*mixture);
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
    if (const NumberType type = configured_type(model_.configuration.sections.front().json, 16); type.bits != 0) return type;
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
      const Bytes bytes = packed(p, linear_layers(row));
      put(row, p.name, multiply(converted, add(bytes.numbers, bytes.beside)), multiply(converted, bytes.beside));
      if (converted < copies) put(row, Text(type.name.data()), multiply(multiply(copies - converted, row.elements.value()), type.bits / 8));
    });
  }

  // --- GGUF ------------------------------------------------------------------------------------------------------------

  void as_gguf(const BlockFormat& format) {
    out_.format = std::string(std::string_view(format.name));
    out_.note = "Every matrix in this format, as llama.cpp stores it; norms and routers in 32 bits.";
    // Beside the older formats llama.cpp stores the head better.
    const bool old = format.numbers == 32 && format.name != "Q8_0" && format.name != "IQ4_NL" && format.name != "MXFP4";
    in_blocks(format, old ? *block_format("Q6_K") : format, [](const Row&, const std::string&) { return Shares{}; });
  }

  void as_mixture(const Mixture& mixture) {
    out_.format = std::string(std::string_view(mixture.name));
    const BlockFormat *const better = block_format(mixture.better), *const fused = block_format(mixture.fused);
    const std::vector<std::uint64_t> valued = layers_with("value"), fed = layers_with("down");
    const std::uint64_t n = fed.size();
    // What is not like that has rules of its own in llama.cpp.
    const std::string_view type = model_.choice.family->gguf;
    const bool large = n == 80, plain = type == "llama" || type == "qwen2";
    const bool whole =
        n > 0 && fed.back() == n - 1 && (valued.size() == n || (valued.empty() && layers_with("query, key and value").size() == n));
    if (!whole || n_experts() == 8 || type == "falcon" || (large && !plain)) {
      out_.unknown = concat({"Which of these tensors llama.cpp stores better in ", mixture.name, " is not known here."});
      return;
    }
    out_.note = "As llama.cpp mixes it: some layers better, norms and routers in 32 bits.";
    in_blocks(*block_format(mixture.most), *block_format("Q6_K"), [&](const Row& row, const std::string& role) -> Shares {
      if (role == "query, key and value") return {fused, 1, 1};
      if (role != "value" && role.find("down") == std::string::npos) return {};
      Shares out{better, 0, 0};
      for (const Run& run : repeated(row).runs())
        for (std::uint64_t layer = run.first; layer <= run.last; ++layer) {
          out.chosen += is_better(layer, n);
          ++out.all;
        }
      // Eight heads share a value in the 70B models: they take five bits in the other layers, too.
      if (role == "value" && large && row.shape[0].value() < row.shape[1].value() && mixture.most == "Q4_K")
        out.others = block_format("Q5_K");
      return out;
    });
  }

  /// What part of a row's layers has another format than most, and the format of its others where that is none of most either.
  struct Shares {
    const BlockFormat* format = nullptr;
    std::uint64_t chosen = 0, all = 0;
    const BlockFormat* others = nullptr;
  };

  /// The rows as llama.cpp stores them where most matrices have that format, and the head another.
  template <class SharesOf>
  void in_blocks(const BlockFormat& most, const BlockFormat& of_head, const SharesOf& shares_of) {
    const bool few_experts = n_experts() == 8, falcon = model_.choice.family->gguf == std::string_view("falcon");
    bool has_head = false;
    each(false, [&](const Row& row) { has_head = has_head || (row.part == Part::output_head && row.role == Role::matrix); });
    each(false, [&](const Row& row) {
      if (of_towers(row)) return;
      const bool table = row.role == Role::table && is_token_table(row);
      const bool blocks = (row.role == Role::matrix || table) && row.shape.size() > 1 && row.part != Part::router;
      if (!blocks) return put(row, "float32", multiply(row.total.value(), 4));
      const Count copies = copies_of(row);
      const bool head = row.part == Part::output_head || (!has_head && row.part == Part::embedding && table);
      if (head) return put_blocks(row, falcon ? block_format("Q8_0") : &of_head, copies);
      const std::string role = role_of(row).words;
      // Keys and values of a mixture of eight experts are small beside the rest, and stored well.
      if (few_experts && (role == "key" || role == "value")) return put_blocks(row, block_format("Q8_0"), copies);
      const Shares shares = shares_of(row, role);
      if (shares.format == nullptr) return put_blocks(row, &most, copies);
      const Count chosen = copies / shares.all * shares.chosen;
      put_blocks(row, shares.format, chosen);
      put_blocks(row, shares.others == nullptr ? &most : shares.others, copies - chosen);
    });
  }

  /// Copies of a row in blocks along its width; in another format where that is no whole number of blocks.
  void put_blocks(const Row& row, const BlockFormat* format, Count copies) {
    if (copies == 0) return;
    const Pool& pool = model_.pool;
    const Matrix m = matrix_of(row);
    // Latent keys and values: llama.cpp keeps the keys' half transposed, a row for each latent dimension of a head.
    const Expr nope = pool.find("qk_nope_head_dim"), value_dim = pool.find("v_head_dim");
    if (row.name.ends_with("kv_b_proj.weight") && nope && value_dim && (nope.value() + value_dim.value()) > 0) {
      const Count heads = m.rows / (nope.value() + value_dim.value());
      put_lines(row, format, multiply(multiply(heads, m.width), copies), nope.value());
      return put_lines(row, format, multiply(multiply(heads, value_dim.value()), copies), m.width);
    }
    put_lines(row, format, multiply(multiply(m.count, m.rows), copies), m.width);
  }

  void put_lines(const Row& row, const BlockFormat* format, Count lines, Count width) {
    while (format != nullptr && width % format->numbers != 0) format = instead_of(*format);
    if (format == nullptr) return put(row, "float16", multiply(multiply(lines, width), 2));
    put(row, format->name, multiply(multiply(lines, width / format->numbers), format->bytes));
  }

  /// The layers that hold a tensor whose role ends in that word, in their order.
  std::vector<std::uint64_t> layers_with(std::string_view word) {
    std::vector<std::uint64_t> out;
    each(false, [&](const Row& row) {
      if (row.role != Role::matrix || of_towers(row) || !std::string_view(role_of(row).words).ends_with(word)) return;
      for (const Run& run : repeated(row).runs())
        for (std::uint64_t layer = run.first; layer <= run.last; ++layer) out.push_back(layer);
    });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  /// Of each mixture; 0 without one.
  [[nodiscard]] Count n_experts() const {
    for (const Row& row : model_.builder.rows())
      if (row.part == Part::router && row.role == Role::matrix && row.shape.size() == 2) return row.shape[0].value();
    return 0;
  }

  // --- As published ------------------------------------------------------------------------------------------------------

  void as_published() {
    const Json quantization = model_.configuration.sections.front().json["quantization_config"];
    if (!quantization.is(Json::Type::object)) {
      const NumberType type = configured();
      out_.format = std::string(type.name);
      return each(true, [&](const Row& row) { plainly(row, type); });
    }
    const std::string_view method = word(quantization, "quant_method");
    if (method == "fp8" || method == "mxfp4") return with_scales(quantization, method == "fp8");
    if (const Count group = mlx_group(quantization); group != 0) return as_mlx(quantization, group);
    const Packing p = packing(quantization, method);
    if (p.name.empty()) {
      out_.unknown =
          concat({"How ", method.empty() ? "this quantisation" : clipped(method, 40), " stores these weights is not known here."});
      return;
    }
    out_.unknown = unknown_experts(quantization, method);
    if (out_.unknown.empty()) quantised(p, quantization);
  }

  /// Why it is not known what becomes of a mixture's experts; empty: each is three linear layers, packed like all others.
  [[nodiscard]] std::string unknown_experts(Json quantization, std::string_view method) const {
    const std::vector<Row>& rows = model_.builder.rows();
    if (!has_experts()) return {};
    const auto unknown = [&](const Row& row) {
      return concat({"Whether ", clipped(method, 40), " converts ", row.name, " is not known here."});
    };
    const std::vector<Count> given = converted_copies(quantization, rows);
    const Expr hidden = hidden_size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[i];
      if (row.role != Role::matrix || row.kind == Kind::possible || row.kind == Kind::published) continue;
      // What writes GPTQ's files leaves routers out by itself, others where a list says so.
      if (row.part == Part::router && method != "gptq" && given[i] > 0) return unknown(row);
      if (row.part != Part::feed_forward) continue;
      const bool expert = row.shape.size() == 3 || row.name.find("experts.[") != std::string::npos;
      // Where experts are no linear layers bitsandbytes passes over them, and files differ by when they were written.
      if (expert && method == "bitsandbytes") return unknown(row);
      if (row.shape.size() != 3) continue;
      const bool in = row.name.ends_with("gate_up_proj") && hidden && row.shape[2].value() == hidden.value();
      const bool out = row.name.ends_with("down_proj") && hidden && row.shape[1].value() == hidden.value();
      if (!in && !out) return unknown(row);
    }
    return {};
  }

  /// The width of the table of tokens; empty without one.
  [[nodiscard]] Expr hidden_size() const {
    for (const Row& row : model_.builder.rows())
      if (row.part == Part::embedding && row.role == Role::table && row.shape.size() == 2) return row.shape[1];
    return {};
  }

  /// How many numbers of a row stand together in the way of MLX, which names no method and has nothing that differs from layer to layer;
  /// else 0.
  static Count mlx_group(Json q) {
    if (q["quant_method"] || number(q, "bits", 0) == 0) return 0;
    for (const auto& [name, value] : q.members())
      if (value.is(Json::Type::object) || value.is(Json::Type::boolean)) return 0;
    const std::string_view mode = word(q, "mode");
    return mode.empty() || mode == "affine" ? number(q, "group_size", 0) : 0;
  }

  /// Tables too, in words of 32 bits, with a scale and a shift of 16 bits for each group of a row.
  void as_mlx(Json q, Count group) {
    const Count bits = number(q, "bits", 0);
    const NumberType type = configured();
    out_.format = concat({"int", digits(bits)});
    const Text name = bits == 4 ? Text("int4") : bits == 8 ? Text("int8") : Text("int");
    each(false, [&](const Row& row) {
      const Matrix m = matrix_of(row);
      const bool matrix = (row.role == Role::matrix || row.role == Role::table) && row.shape.size() > 1 && !of_towers(row);
      if (!matrix || m.width % group != 0) return plainly(row, type);
      const Count lines = multiply(multiply(m.count, m.rows), copies_of(row)), beside = multiply(lines, 4 * (m.width / group));
      put(row, name, add(multiply(lines, up(m.width * bits, 32) * 4), beside), beside);
    });
    if (has_experts()) out_.unknown = "Whether this quantisation converts routers is not known here.";
  }

  /// Eight or four bits whose scales are rows of their own.
  void with_scales(Json quantization, bool eight) {
    const NumberType type = configured();
    out_.format = eight ? "float8" : "MXFP4";
    if (eight) out_.note = "Scales in 32 bits, as transformers loads them; the files of some publishers hold them in 16.";
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
      if (flag(q, "load_in_8bit")) return {.name = "int8", .table = 1};  // a byte says how the matrix stands
      if (!flag(q, "load_in_4bit")) return {};
      const Count block = 64;
      return {
          .name = "nf4", .bits = 4, .group = block, .whole = true, .nested = flag(q, "bnb_4bit_use_double_quant") ? 256U : 0U, .table = 64};
    }
    const Count bits = number(q, "bits", 0), group = number(q, "group_size", 0);  // −1: a scale for each row
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
    const std::string_view type = word(weights, "type"), strategy = word(weights, "strategy");
    const Count width = number(weights, "num_bits", 0);
    const Count size = strategy == "group" ? number(weights, "group_size", 0) : 0;
    const bool known = strategy == "channel" || strategy == "tensor" || (strategy == "group" && size > 0);
    if (!known || !flag(weights, "symmetric")) return {};
    const Count rows = strategy == "tensor" ? 0 : 1;
    if (width == 8 && type == "float") return {.name = "float8", .group = size, .rows = rows, .scale = 16};
    if ((width != 4 && width != 8) || type != "int") return {};
    // Numbers stand in whole bytes or packed into words, as `format` says.
    const std::string_view format = word(q, "format");
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

  const Model& model_;
  std::string_view wanted_;
  Storage out_;
};

}  // namespace

NumberType configured_type(Json root, unsigned least_bits) {
  for (const Json section : {root, root["text_config"]})
    for (const std::string_view field : {"dtype", "torch_dtype"})
      if (const Json given = section[field]; given.is(Json::Type::string))
        if (const NumberType type = number_type(given.string()); type.bits >= least_bits) return type;
  return {"", 0};
}

const BlockFormat* block_format(std::string_view name) {
  const auto* const found = std::find_if(std::begin(formats), std::end(formats), [&](const BlockFormat& f) { return f.name == name; });
  return found == std::end(formats) ? nullptr : found;
}

Storage storage_of(const Model& model, std::string_view wanted) { return Store(model, wanted).store(); }

}  // namespace param_ledger
