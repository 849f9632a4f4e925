#include "core/model/quantized_files.hpp"

#include <algorithm>
#include <optional>

#include "core/builder/blocks.hpp"
#include "core/builder/row_names.hpp"
#include "core/json/json_fields.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The modules that the configuration excludes from quantization.
class Kept {
 public:
  /// Throws Error{too_large} if comparing all names in the lists with all rows would take too long.
  Kept(Json quantization, std::size_t rows) {
    constexpr std::size_t most_lookups = 1'000'000;
    for (const std::string_view field : {"modules_to_not_convert", "ignored_layers", "llm_int8_skip_modules", "ignore", "exclude_modules"})
      for (const auto& [_, name] : quantization[field].members())
        if (name.is(Json::Type::string)) patterns_.push_back(pattern(name.string()));
    if (patterns_.size() * rows > most_lookups)
      throw Error{ErrorCode::too_large, "quantization_config", "quantization_config lists too many modules."};
  }

  [[nodiscard]] bool none() const { return patterns_.empty(); }

  /// Whether a pattern covers a whole row: its module or, if the module is repeated, all copies. This is the case if the module's name
  /// contains the pattern's segments.
  [[nodiscard]] bool whole(std::string_view module) const {
    if (patterns_.empty()) return false;
    const std::vector<std::string_view> name = segments_of(module);
    return std::any_of(patterns_.begin(), patterns_.end(), [&](const Pattern& pattern) {
      const auto same = [](std::string_view segment, std::string_view wanted) { return wanted == "*" || segment == wanted; };
      return std::search(name.begin(), name.end(), pattern.segments.begin(), pattern.segments.end(), same) != name.end();
    });
  }

  /// The layer indices at which a repeated row is quantized: all except those that a pattern names.
  [[nodiscard]] IndexSet converted(const Repeated& module, Expr count) const {
    std::vector<std::uint64_t> kept;
    if (!patterns_.empty()) {
      const std::string_view container = module.before.substr(module.before.rfind('.') + 1);
      const std::vector<std::string_view> name = segments_of(module.after);
      for (const auto& [segments, copy] : patterns_)
        if (copy && segments[0] == container && segments.size() - 2 <= name.size() &&
            std::equal(segments.begin() + 2, segments.end(), name.begin()))
          kept.push_back(*copy);
    }
    return without({Runs(*count.node()->pool, module.runs()), count}, std::move(kept));
  }

 private:
  struct Pattern {
    std::vector<std::string_view> segments;
    std::optional<std::uint64_t> copy;  ///< the pattern's second segment as a number, if it is an index
  };

  /// Splits a name into a pattern. Drops the prefix before a list such as `layers`, because files may use another prefix.
  static Pattern pattern(std::string_view name) {
    std::vector<std::string_view> out = segments_of(name);
    const auto index = std::find_if(out.begin(), out.end(), is_index);
    if (index - out.begin() > 1 && index != out.end()) out.erase(out.begin(), index - 1);
    const std::vector<Run> second = out.size() > 1 ? spelled(out[1]) : std::vector<Run>{};
    return {std::move(out), second.empty() ? std::nullopt : std::optional(second.front().first)};
  }

  static IndexSet without(const IndexSet& set, std::vector<std::uint64_t> left_out) {
    if (left_out.empty()) return set;
    std::sort(left_out.begin(), left_out.end());
    left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
    std::vector<Run> runs;
    std::uint64_t n_left_out = 0;
    auto next = left_out.begin();
    for (Run run : set.runs) {
      while (next != left_out.end() && *next < run.first) ++next;
      for (; next != left_out.end() && *next <= run.last; ++next) {
        if (run.first < *next) runs.push_back({run.first, *next - 1});
        run.first = *next + 1;
        ++n_left_out;
      }
      if (run.first <= run.last) runs.push_back(run);
    }
    return runs.empty() ? IndexSet{} : of_runs(std::move(runs), set.count - n_left_out);
  }

  std::vector<Pattern> patterns_;
};

constexpr Text fp8_reason = "One scale for each block of a matrix that is stored in 8 bits.";
constexpr Text mxfp4_reason = "One scale for every 32 weights of a matrix that is stored in 4 bits.";

/// The scales of one matrix: the suffix of their tensor's name, and its shape. The shape is empty if there are no scales.
struct Scales {
  Text suffix;
  std::vector<Expr> shape;
};

/// Records the scales that `scales_of` returns for each quantized matrix.
template <class ScalesOf>
void record_scales(Builder& b, const Kept& kept, Text reason, const ScalesOf& scales_of) {
  each_row(b, [&](const Row& row) {
    if (row.storage != StorageKind::matrix || row.kind == Kind::tied || row.kind == Kind::buffer) return;
    const Scales scales = scales_of(row);
    if (scales.shape.empty()) return;
    if (kept.whole(row.name)) return;
    b.beside(row.kind == Kind::possible ? Kind::possible : Kind::published, reason, [&] {
      const InBlock block(b, {Mechanism::quantization_scales});
      const Repeated name = kept.none() ? Repeated{} : repeated(row);
      if (!name)
        b.like(row, concat({row.name, scales.suffix}), scales.shape, StorageKind::vector);
      else
        b.repeat(std::string(name.before), kept.converted(name, row.repeats.front()), [&] {
          b.like(row, concat({name.after, scales.suffix}), scales.shape, StorageKind::vector, 1);
        });
    });
  });
}

/// Whether a quantization without quant_method was probably written by mlx-lm, which gives bits and group_size.
bool is_mlx(Json quantization) { return quantization["group_size"] && quantization["bits"]; }

/// The likely quantization method if the configuration names none.
std::string_view unnamed_method(const Quantization& given) {
  if (given.field == "compression_config") return "compressed-tensors";
  return is_mlx(given.json) ? "MLX" : "an unknown method";
}

/// The two numbers of weight_block_size; empty if the field is not a list of two positive integers.
std::vector<Expr> block_size(Json quantization, Pool& pool) {
  std::vector<Expr> out;
  const Json size = quantization["weight_block_size"];
  for (const auto& [_, side] : size.members())
    if (size.is(Json::Type::list) && side.is(Json::Type::integer) && !side.negative() && side.magnitude() > 0)
      out.push_back(pool.literal(side.magnitude()));
  return out.size() == 2 && size.size() == 2 ? out : std::vector<Expr>{};
}

void fp8_scales(Builder& b, Json quantization, const std::vector<Expr>& block) {
  record_scales(b, Kept(quantization, b.rows().size()), fp8_reason, [&](const Row& row) -> Scales {
    if (!in_few_bits(row)) return {};
    std::vector<Expr> shape(row.shape.begin(), row.shape.end());
    const std::size_t last = shape.size() - 1;
    shape[last - 1] = ceil_divide(shape[last - 1], block[0]);
    shape[last] = ceil_divide(shape[last], block[1]);
    return {"_scale_inv", std::move(shape)};
  });
}

void mxfp4_scales(Builder& b, Json quantization) {
  record_scales(b, Kept(quantization, b.rows().size()), mxfp4_reason, [&](const Row& row) -> Scales {
    if (!row.in_text(Part::feed_forward) || row.shape.size() != 3) return {};
    return {"_scales", {row.shape[0], row.shape[2], ceil_divide(row.shape[1], b.pool().literal(32))}};
  });
}

}  // namespace

Quantization quantization_of(Json root) {
  for (const Text field : {"quantization_config", "compression_config"})
    if (const Json given = root[field]; given.is(Json::Type::object)) return {field, given};
  if (const Json given = root["quantization"]; given.is(Json::Type::object) && is_mlx(given)) return {"quantization", given};
  return {};
}

bool knows_files(Json root) {
  const auto [field, quantization] = quantization_of(root);
  if (field.empty()) return true;
  if (field != "quantization_config") return false;
  const std::string_view method = word_in(quantization, "quant_method");
  const Json block = quantization["weight_block_size"];
  const auto is_side = [](Json side) { return side.is(Json::Type::integer) && !side.negative() && side.magnitude() > 0; };
  return method == "mxfp4" || (method == "fp8" && block.size() == 2 && is_side(block[0]) && is_side(block[1]));
}

void record_scales_of_files(Config c, Builder& b) {
  const Quantization given = quantization_of(c.json);
  const auto& [field, quantization] = given;
  if (field.empty()) return;
  c.ignore(field, "Changes how files store the model, not the model itself; additional tensors in the files are listed.");
  const std::string_view method = word_in(quantization, "quant_method", unnamed_method(given));
  const std::vector<Expr> block = block_size(quantization, b.pool());
  const std::size_t before = b.rows().size();
  if (method == "fp8" && !block.empty())
    fp8_scales(b, quantization, block);
  else if (method == "mxfp4")
    mxfp4_scales(b, quantization);
  else
    b.note(
        field,
        concat(
            {"The files are quantised (", clipped(method, 100),
             "). The count is that of the model's weights; the files may pack several weights into one element and also store scales."}));
  if (method == "mxfp4" && b.rows().size() == before)
    b.note(field, "quant_method mxfp4 packs stacked experts, but this model has none, so nothing in its files is packed.");
}

bool in_few_bits(const Row& row) {
  if (row.storage != StorageKind::matrix || row.shape.size() < 2) return false;
  if (row.in_tower()) return row.tower != Tower::projector;
  switch (row.part) {
    case Part::attention: return !row.name.ends_with(".weights_proj.weight");  // the indexer's weights_proj is not quantized
    case Part::state_space:
    case Part::feed_forward: return true;
    default: return false;
  }
}

std::vector<Count> converted_copies(Json quantization, const std::vector<Row>& rows) {
  const Kept kept(quantization, rows.size());
  std::vector<Count> out(rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if (kept.whole(row.name)) continue;
    out[i] = 1;
    for (const Expr e : row.repeats) out[i] = multiply(out[i], e.decide());
    const Repeated name = repeated(row);
    if (!name) continue;
    const Expr count = row.repeats.front();
    const IndexSet converted = kept.converted(name, count);
    out[i] = converted.empty() ? 0 : out[i] / count.decide() * converted.count.decide();
  }
  return out;
}

bool is_scale(const Row& row) { return row.reason == fp8_reason || row.reason == mxfp4_reason; }

}  // namespace param_ledger
