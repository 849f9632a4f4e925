#include "core/memory/gguf_storage.hpp"

#include <algorithm>
#include <iterator>

#include "core/builder/row_names.hpp"
#include "core/memory/packing.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr BlockFormat formats[] = {
    {"Q4_0", 32, 18},   {"Q4_1", 32, 20},     {"Q5_0", 32, 22},   {"Q5_1", 32, 24},   {"Q8_0", 32, 34},
    {"Q2_K", 256, 84},  {"Q3_K", 256, 110},   {"Q4_K", 256, 144}, {"Q5_K", 256, 176}, {"Q6_K", 256, 210},
    {"IQ4_NL", 32, 18}, {"IQ4_XS", 256, 136}, {"MXFP4", 32, 17},
};

/// The format that llama.cpp falls back to if a row is not a whole number of blocks; null: 16 bits.
const BlockFormat* instead_of(const BlockFormat& format) {
  const std::string_view name = format.name;
  if (name == "Q4_K") return block_format("Q5_0");
  if (name == "Q5_K") return block_format("Q5_1");
  if (name == "Q6_K") return block_format("Q8_0");
  return format.numbers == 256 ? block_format("IQ4_NL") : nullptr;
}

/// One of llama.cpp's mixtures of formats, such as Q4_K_M. The format of a matrix depends on its role and its layer.
struct MixedFormat {
  Text name;
  Text most;
  Text better;  ///< format of value and down projections in the layers that are stored more precisely
  Text fused;   ///< format of a fused query, key and value matrix
};
constexpr MixedFormat mixed_formats[] = {{"Q4_K_M", "Q4_K", "Q6_K", "Q5_K"}, {"Q5_K_M", "Q5_K", "Q6_K", "Q6_K"}};

/// Whether a mixture of formats stores this layer more precisely. It does so for the first and the last eighth of the layers, and for every
/// third layer in between.
bool is_better(std::uint64_t layer, std::uint64_t n_layers) {
  return layer < n_layers / 8 || layer >= 7 * n_layers / 8 || (layer - n_layers / 8) % 3 == 2;
}

/// Whether the name of a table is not one of a table of positions or token types. llama.cpp does not quantize such tables.
bool is_token_table(const Row& row) {
  return row.name.find("pos") == std::string::npos && row.name.find("wpe") == std::string::npos &&
         row.name.find("token_type") == std::string::npos;
}

/// Assigns formats to matrices as llama.cpp does.
class GgufWriter {
 public:
  explicit GgufWriter(StoredRows& rows) : rows_(rows) {}

  void all_in(const BlockFormat& format) {
    out().format = std::string(std::string_view(format.name));
    out().note = "Every matrix is in this format, as llama.cpp stores it; norms and routers are in 32 bits.";
    // With the older formats of 4 and 5 bits, llama.cpp stores the head in Q6_K, which is more precise, unless the type has rules of its
    // own.
    const bool old = format.numbers == 32 && format.name != "Q8_0" && format.name != "IQ4_NL" && format.name != "MXFP4";
    const BlockFormat* const better = old ? block_format("Q6_K") : nullptr;
    in_blocks(format, better != nullptr ? *better : format, [](const Row&) { return Shares{}; });
  }

  void mixed(const MixedFormat& mixture) {
    out().format = std::string(std::string_view(mixture.name));
    const BlockFormat *const better = block_format(mixture.better), *const fused = block_format(mixture.fused);
    const std::vector<std::uint64_t> valued = layers_with(TensorRole::value), fed = layers_with(TensorRole::down);
    const std::uint64_t n = fed.size();
    // llama.cpp has special rules for some other models, which are not implemented here.
    const Gguf type = model().choice.family->gguf;
    const bool large = n == 80;
    const bool whole =
        n > 0 && fed.back() == n - 1 && (valued.size() == n || (valued.empty() && layers_with(TensorRole::query_key_value).size() == n));
    if (!whole || n_experts() == 8 || type == Gguf::own_rules || (large && type != Gguf::known_large)) {
      out().unknown = concat({"Which of these tensors llama.cpp stores more precisely in ", mixture.name, " is not known."});
      return;
    }
    out().note = "As llama.cpp mixes formats: some layers are more precise; norms and routers are in 32 bits.";
    in_blocks(*block_format(mixture.most), *block_format("Q6_K"), [&](const Row& row) -> Shares {
      if (row.role == TensorRole::query_key_value) return {fused, 1, 1};
      if (row.role != TensorRole::value && row.role != TensorRole::down) return {};
      Shares out{better, 0, 0};
      for (const Run& run : repeated(row).runs())
        for (std::uint64_t layer = run.first; layer <= run.last; ++layer) {
          out.chosen += is_better(layer, n);
          ++out.all;
        }
      // llama.cpp takes 80 layers with fewer value heads than query heads for a 70B model, in which value matrices are comparatively small.
      // It stores those of the remaining layers in Q5_K instead of Q4_K.
      if (row.role == TensorRole::value && large && row.shape[0].peek() < row.shape[1].peek() && mixture.most == "Q4_K")
        out.others = block_format("Q5_K");
      return out;
    });
  }

 private:
  /// The number of a row's layers that are stored in `format` instead of the usual format: `chosen` of `all`. `others` is the format of the
  /// remaining layers, if they do not have the usual format either.
  struct Shares {
    const BlockFormat* format = nullptr;
    std::uint64_t chosen = 0, all = 0;
    const BlockFormat* others = nullptr;
  };

  /// Stores the rows as llama.cpp does if most matrices have format `most` and the head has format `of_head`, or Q8_0 if the type has rules
  /// of its own.
  template <class SharesOf>
  void in_blocks(const BlockFormat& most, const BlockFormat& of_head, const SharesOf& shares_of) {
    const bool few_experts = n_experts() == 8, own_head = model().choice.family->gguf == Gguf::own_rules;
    bool has_head = false;
    rows_.each(false,
               [&](const Row& row) { has_head = has_head || (row.in_text(Part::output_head) && row.storage == StorageKind::matrix); });
    rows_.each(false, [&](const Row& row) {
      if (row.in_tower()) return;
      const bool table = row.storage == StorageKind::table && is_token_table(row);
      const bool blocks = (row.storage == StorageKind::matrix || table) && row.shape.size() > 1 && !row.in_text(Part::router);
      if (!blocks) return put(row, "float32", multiply(row.total.peek(), 4));
      const Count copies = copies_of(row);
      const bool head = row.in_text(Part::output_head) || (!has_head && row.in_text(Part::embedding) && table);
      if (head) return put_blocks(row, own_head ? block_format("Q8_0") : &of_head, copies);
      // In a mixture of eight experts the key and value matrices are comparatively small, so llama.cpp stores them in 8 bits.
      if (few_experts && (row.role == TensorRole::key || row.role == TensorRole::value))
        return put_blocks(row, block_format("Q8_0"), copies);
      const Shares shares = shares_of(row);
      if (shares.format == nullptr) return put_blocks(row, &most, copies);
      const Count chosen = copies / shares.all * shares.chosen;
      put_blocks(row, shares.format, chosen);
      put_blocks(row, shares.others == nullptr ? &most : shares.others, copies - chosen);
    });
  }

  /// Stores copies of a row in blocks along its width, or in another format if the width is not a whole number of blocks.
  void put_blocks(const Row& row, const BlockFormat* format, Count copies) {
    if (copies == 0) return;
    const Pool& pool = model().pool;
    const Matrix m = matrix_of(row);
    // For MLA, llama.cpp stores the key half of kv_b_proj transposed, with a row for each head and latent dimension.
    const Expr nope = pool.find("qk_nope_head_dim"), value_dim = pool.find("v_head_dim");
    if (row.name.ends_with("kv_b_proj.weight") && nope && value_dim && (nope.peek() + value_dim.peek()) > 0) {
      const Count heads = m.rows / (nope.peek() + value_dim.peek());
      put_lines(row, format, multiply(multiply(heads, m.width), copies), nope.peek());
      return put_lines(row, format, multiply(multiply(heads, value_dim.peek()), copies), m.width);
    }
    put_lines(row, format, multiply(multiply(m.count, m.rows), copies), m.width);
  }

  void put_lines(const Row& row, const BlockFormat* format, Count lines, Count width) {
    while (format != nullptr && width % format->numbers != 0) format = instead_of(*format);
    if (format == nullptr) return put(row, "float16", multiply(multiply(lines, width), 2));
    put(row, format->name, multiply(multiply(lines, width / format->numbers), format->bytes));
  }

  /// The layers, outside of towers, that have a matrix with this role, in ascending order.
  std::vector<std::uint64_t> layers_with(TensorRole role) {
    std::vector<std::uint64_t> out;
    rows_.each(false, [&](const Row& row) {
      if (row.storage != StorageKind::matrix || row.in_tower() || row.role != role) return;
      for (const Run& run : repeated(row).runs())
        for (std::uint64_t layer = run.first; layer <= run.last; ++layer) out.push_back(layer);
    });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  /// The number of rows in the first router's matrix, which is the number of experts. 0 without such a matrix.
  [[nodiscard]] Count n_experts() const {
    for (const Row& row : rows_.rows())
      if (row.in_text(Part::router) && row.storage == StorageKind::matrix && row.shape.size() == 2) return row.shape[0].peek();
    return 0;
  }

  [[nodiscard]] const Model& model() const { return rows_.model(); }
  [[nodiscard]] Storage& out() { return rows_.out(); }
  void put(const Row& row, Text format, Count bytes) { rows_.put(row, format, bytes); }

  StoredRows& rows_;
};

}  // namespace

const BlockFormat* block_format(std::string_view name) {
  const auto* const found = std::find_if(std::begin(formats), std::end(formats), [&](const BlockFormat& f) { return f.name == name; });
  return found == std::end(formats) ? nullptr : found;
}

bool store_as_gguf(StoredRows& rows, std::string_view wanted) {
  if (const BlockFormat* const format = block_format(wanted)) {
    GgufWriter(rows).all_in(*format);
    return true;
  }
  const auto* const mixed =
      std::find_if(std::begin(mixed_formats), std::end(mixed_formats), [&](const MixedFormat& m) { return m.name == wanted; });
  if (mixed == std::end(mixed_formats)) return false;
  GgufWriter(rows).mixed(*mixed);
  return true;
}

}  // namespace param_ledger
