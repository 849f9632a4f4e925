#include "core/published.hpp"

#include <algorithm>
#include <optional>

#include "core/family.hpp"
#include "core/layers.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

// --- Names and rows ----------------------------------------------------------------------------------------------------

std::vector<std::string_view> segments_of(std::string_view name) {
  std::vector<std::string_view> out;
  while (!name.empty()) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    out.push_back(name.substr(0, dot));
    name.remove_prefix(std::min(dot + 1, name.size()));
  }
  return out;
}

/// Calls `visit` with each row that there is now. It may record another one, after which its row is none any more.
template <class Visit>
void each_row(const Builder& b, const Visit& visit) {
  const std::size_t n = b.rows().size();
  for (std::size_t i = 0; i < n; ++i) visit(b.rows()[i]);
}

// --- A head that is tied -----------------------------------------------------------------------------------------------

void tied_heads(Builder& b) {
  const auto published = [&](std::string_view name) {
    return std::any_of(b.rows().begin(), b.rows().end(), [&](const Row& row) { return row.kind == Kind::published && row.name == name; });
  };
  b.beside(Kind::possible, "Some files hold the head although it is the embedding table.", [&] {
    each_row(b, [&](const Row& row) {
      if (row.kind == Kind::tied && row.part == Part::output_head && row.role == Role::table && !published(row.name))
        b.like(row, row.name.data(), row.shape, Role::matrix);
    });
  });
}

// --- Layers that predict further tokens --------------------------------------------------------------------------------

constexpr Text predicts =
    "Predicts a further token, for training and for drafts: a layer of the model, joined to the embedding of the token before.";

/// What joins such a layer to the model, and the norm at its end, as the files name them.
struct PredictionNames {
  Text projection, embedding_norm, hidden_norm, last_norm;
};
constexpr PredictionNames deepseek_names{"eh_proj", "enorm", "hnorm", "shared_head.norm"};
constexpr PredictionNames qwen_names{"fc", "pre_fc_norm_embedding", "pre_fc_norm_hidden", "norm"};
constexpr PredictionNames mimo_names{"input_proj", "token_layernorm", "hidden_layernorm", "final_layernorm"};
constexpr PredictionNames nemotron_names{"eh_proj", "enorm", "hnorm", "final_layernorm"};

/// Where in the files such layers stand.
enum class Place : std::uint8_t {
  appended,              ///< behind the model's layers, each joined by itself
  appended_with_tables,  ///< and with an embedding table and a head of its own, copies of the model's
  beside,                ///< `model.mtp_layers`, each joined by itself
  apart,                 ///< `mtp.layers`, joined once
  pattern,               ///< `mtp.layers`, each a layer of the kind that a pattern of letters says; joined at the first
};

/// A type whose files hold such layers, where its configuration says how many.
struct Predicting {
  Text model_type, section, field;
  Place place;
  bool always = true;  ///< files of this type hold one where it does not say
};

constexpr Predicting predicting[] = {
    {"deepseek_v3", "", "num_nextn_predict_layers", Place::appended_with_tables},
    {"deepseek_v32", "", "num_nextn_predict_layers", Place::appended_with_tables},
    {"glm4_moe", "", "num_nextn_predict_layers", Place::appended_with_tables},
    {"glm_moe_dsa", "", "num_nextn_predict_layers", Place::appended},
    {"mimo", "", "num_nextn_predict_layers", Place::beside},
    {"nemotron_h", "", "num_nextn_predict_layers", Place::pattern, false},
    {"qwen3_5", "text_config", "mtp_num_hidden_layers", Place::apart},
    {"qwen3_5_moe", "text_config", "mtp_num_hidden_layers", Place::apart},
    {"qwen3_5_moe_text", "", "mtp_num_hidden_layers", Place::apart},
    {"qwen3_5_text", "", "mtp_num_hidden_layers", Place::apart},
    {"qwen3_next", "", "mtp_num_hidden_layers", Place::apart},
};

/// Types whose files hold such layers, as transformers' lists of what it passes over say; what these hold nobody tells.
constexpr Text predicting_somehow[] = {"bailing_hybrid", "deepseek_v4", "dots3_note",    "ernie4_5_moe", "exaone_moe",    "glm4_moe_lite",
                                       "hy_v3",          "hy_v4",       "longcat_flash", "mellum",       "mimo_v2_flash", "qwen4_exp"};

/// The name of a row that layers of the model hold; else nothing.
Repeated in_layers(const Row& row) {
  if ((row.kind != Kind::parameter && row.kind != Kind::buffer) || row.part == Part::vision || row.part == Part::audio) return {};
  const Repeated name = repeated(row);
  return name.before == "layers" || name.before.ends_with(".layers") ? name : Repeated{};
}

/// Records again what that layer of the model holds.
void layer_again(Builder& b, std::uint64_t layer) {
  std::string_view index;  // most rows stand under the same as the one before
  bool holds = false;
  each_row(b, [&](const Row& row) {
    const Repeated name = in_layers(row);
    if (!name) return;
    if (name.index != index) {
      index = name.index;
      holds = contains(name.runs(), layer);
    }
    if (holds) b.like(row, name.after, row.shape, row.role, 1);
  });
}

/// The model around the layers.
struct Surroundings {
  Expr hidden = {}, vocabulary = {};
  std::string layers = {};  ///< the name that they stand under
  std::uint64_t last_layer = 0;
};

/// None for a model without layers or without a table.
std::optional<Surroundings> surroundings(const Builder& b, Expr n_layers) {
  if (n_layers.value() == 0) return {};
  Surroundings out{.last_layer = static_cast<std::uint64_t>(n_layers.value() - 1)};
  for (const Row& row : b.rows()) {
    if (!out.hidden && row.part == Part::embedding && row.role == Role::table && row.shape.size() == 2) {
      out.vocabulary = row.shape[0];
      out.hidden = row.shape[1];
    }
    if (out.layers.empty()) out.layers = in_layers(row).before;
  }
  if (!out.hidden || out.layers.empty()) return {};
  return out;
}

void join(Builder& b, const PredictionNames& names, Expr hidden) {
  rms_norm(b, names.embedding_norm, hidden);
  rms_norm(b, names.hidden_norm, hidden);
  b.part(Part::projector, [&] { linear(b, names.projection, 2 * hidden, hidden); });
}

/// Such layers as each is joined by itself; as the model's last one.
void each_joined(Builder& b, const Surroundings& model, Text name, const IndexSet& indices, const PredictionNames& names, bool tables) {
  b.repeat(name, indices, [&] {
    if (tables) embedding(b, "embed_tokens", model.vocabulary, model.hidden);
    join(b, names, model.hidden);
    layer_again(b, model.last_layer);
    rms_norm(b, names.last_norm, model.hidden);
    if (tables) b.part(Part::output_head, [&] { linear(b, "shared_head.head", model.hidden, model.vocabulary); });
  });
}

/// The last layer of the model that has that part.
std::optional<std::uint64_t> layer_with(const Builder& b, Part part) {
  std::optional<std::uint64_t> out;
  for (const Row& row : b.rows()) {
    if (row.part != part) continue;
    if (const Repeated name = in_layers(row)) out = std::max(out.value_or(0), name.runs().back().last);
  }
  return out;
}

void apart(Builder& b, const Surroundings& model, Expr count) {
  b.scope("mtp", [&] {
    join(b, qwen_names, model.hidden);
    b.repeat("layers", all(count), [&] { layer_again(b, layer_with(b, Part::attention).value_or(model.last_layer)); });
    rms_norm(b, qwen_names.last_norm, model.hidden);
  });
}

/// What tells a layer of a kind: the part of the model that only such layers have. Nothing for a kind that is not known.
std::optional<Part> part_of_kind(std::string_view kind) {
  if (kind == "*" || kind == "attention" || kind == "full_attention") return Part::attention;
  if (kind == "M" || kind == "mamba" || kind == "linear_attention") return Part::state_space;
  if (kind == "E" || kind == "moe") return Part::router;
  return {};
}

/// The kinds of these layers, by mtp_hybrid_override_pattern or mtp_layers_block_type; one of attention and one of experts
/// where neither says.
std::vector<std::string_view> kinds_of(Config c) {
  c.consume("mtp_hybrid_override_pattern");
  c.consume("mtp_layers_block_type");
  std::vector<std::string_view> kinds;
  const Json letters = c.peek("mtp_hybrid_override_pattern"), words = c.peek("mtp_layers_block_type");
  if (letters.is(Json::Type::string))
    for (std::size_t i = 0; i < letters.string().size(); ++i) kinds.push_back(letters.string().substr(i, 1));
  else
    for (const auto& [_, word] : words.members()) kinds.push_back(word.is(Json::Type::string) ? word.string() : "");
  return kinds.empty() ? std::vector<std::string_view>{"*", "E"} : kinds;
}

/// False where the model has no layer of one of the kinds to go by.
bool by_pattern(Config c, Builder& b, const Surroundings& model, Expr count) {
  constexpr std::size_t most_kinds = 100;
  const std::vector<std::string_view> kinds = kinds_of(c);
  if (count.value() != 1 || kinds.size() > most_kinds) return false;
  std::vector<std::uint64_t> layers;
  for (const std::string_view kind : kinds) {
    const std::optional<Part> part = part_of_kind(kind);
    const std::optional<std::uint64_t> layer = part ? layer_with(b, *part) : std::nullopt;
    if (!layer) return false;
    layers.push_back(*layer);
  }
  b.scope("mtp", [&] {
    for (std::size_t i = 0; i < layers.size(); ++i)
      b.repeat("layers", only(i), [&] {
        if (i == 0) join(b, nemotron_names, model.hidden);
        layer_again(b, layers[i]);
        if (i + 1 == layers.size()) rms_norm(b, nemotron_names.last_norm, model.hidden);
      });
  });
  return true;
}

void note_prediction_layers(Config c, Builder& b, Text field) {
  const Json given = c.peek(field);
  if (given.is(Json::Type::integer) && given.magnitude() > 0)
    b.note(field, concat({c.full_name(field),
                          ": published files may hold such layers beside the model; they are not counted for this model type."}));
}

void note_unknown_layers(Config c, Builder& b, std::string_view model_type) {
  if (std::find(std::begin(predicting_somehow), std::end(predicting_somehow), model_type) != std::end(predicting_somehow))
    return b.note("", "Published files of this model type hold layers beside the model that predict further tokens; they are not counted.");
  for (const Text field : {"num_nextn_predict_layers", "mtp_num_hidden_layers"}) note_prediction_layers(c, b, field);
}

void prediction_layers(Config c, Builder& b, std::string_view model_type) {
  if (b.architecture().head != Head::causal_lm && b.architecture().head != Head::conditional_generation) return;
  const auto* const type =
      std::find_if(std::begin(predicting), std::end(predicting), [&](const Predicting& p) { return p.model_type == model_type; });
  if (type == std::end(predicting)) return note_unknown_layers(c, b, model_type);
  Config section = type->section.empty() ? c : c.section(type->section);
  const std::optional<Expr> given = section.optional_integer(type->field);
  const Expr count = given ? *given : c.literal(type->always ? 1 : 0), n_layers = c.pool().find(section.full_name("num_hidden_layers"));
  const std::optional<Surroundings> model = surroundings(b, n_layers);
  if (count.value() == 0 || !model) return;
  const IndexSet appended{between(n_layers, n_layers + count).runs, count};
  b.beside(given ? Kind::published : Kind::possible, predicts, [&] {
    switch (type->place) {
      case Place::appended: each_joined(b, *model, model->layers, appended, deepseek_names, false); break;
      case Place::appended_with_tables: each_joined(b, *model, model->layers, appended, deepseek_names, true); break;
      case Place::beside: each_joined(b, *model, "model.mtp_layers", all(count), mimo_names, false); break;
      case Place::apart: apart(b, *model, count); break;
      case Place::pattern:
        if (!by_pattern(section, b, *model, count)) note_prediction_layers(section, b, type->field);
        break;
    }
  });
}

// --- Scales of quantised matrices --------------------------------------------------------------------------------------

/// Modules that a quantisation leaves as they are, by the names that the configuration lists.
class Kept {
 public:
  /// Throws Error{too_large} where looking so many names up for all rows would take too long.
  Kept(Json quantization, std::size_t rows) {
    constexpr std::size_t most_lookups = 1'000'000;
    for (const std::string_view field : {"modules_to_not_convert", "ignored_layers", "llm_int8_skip_modules", "ignore"})
      for (const auto& [_, name] : quantization[field].members())
        if (name.is(Json::Type::string)) patterns_.push_back(pattern(name.string()));
    if (patterns_.size() * rows > most_lookups)
      throw Error{ErrorCode::too_large, "quantization_config",
                  "quantization_config names more modules that are kept than can be looked up."};
  }

  /// True for a module that is not repeated, or all copies of one that is: its name holds the segments of a pattern.
  [[nodiscard]] bool whole(std::string_view module) const {
    if (patterns_.empty()) return false;
    const std::vector<std::string_view> name = segments_of(module);
    return std::any_of(patterns_.begin(), patterns_.end(), [&](const Pattern& pattern) {
      const auto same = [](std::string_view segment, std::string_view wanted) { return wanted == "*" || segment == wanted; };
      return std::search(name.begin(), name.end(), pattern.segments.begin(), pattern.segments.end(), same) != name.end();
    });
  }

  /// The indices of a repeated row but those of single copies that a pattern names.
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
    std::optional<std::uint64_t> copy;  ///< the index that stands second
  };

  /// What stands before the layers may be named otherwise in the files.
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

constexpr Text fp8_reason = "Stored in eight bits: the scale of each block of the matrix.";
constexpr Text mxfp4_reason = "Stored in four bits: the scale of each 32 weights.";

/// The scales of one matrix: what is added to its name, and their shape; an empty one where there are none.
struct Scales {
  Text suffix;
  std::vector<Expr> shape;
};

/// Records for each matrix that is converted what `scales_of` says of it.
template <class ScalesOf>
void record_scales(Builder& b, const Kept& kept, Text reason, const ScalesOf& scales_of) {
  each_row(b, [&](const Row& row) {
    if (row.role != Role::matrix || row.kind == Kind::tied || row.kind == Kind::buffer) return;
    const Scales scales = scales_of(row);
    if (scales.shape.empty()) return;
    if (kept.whole(row.name)) return;
    const Repeated name = repeated(row);
    const std::string scaled = concat({name ? std::string_view(name.after) : row.name, scales.suffix});
    b.beside(row.kind == Kind::possible ? Kind::possible : Kind::published, reason, [&] {
      if (!name)
        b.like(row, scaled, scales.shape, Role::vector);
      else
        b.repeat(std::string(name.before), kept.converted(name, row.repeats.front()),
                 [&] { b.like(row, scaled, scales.shape, Role::vector, 1); });
    });
  });
}

/// weight_block_size as its two numbers; none where it is anything else.
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
    if (row.part != Part::feed_forward || row.shape.size() != 3) return {};
    return {"_scales", {row.shape[0], row.shape[2], ceil_divide(row.shape[1], b.pool().literal(32))}};
  });
}

void quantization_scales(Config c, Builder& b) {
  constexpr Text field = "quantization_config";
  const Json quantization = c.peek(field);
  if (!quantization || quantization.is_null()) return;
  c.ignore(field, "Changes how files store the model, not the model; what they hold beside it is listed with the tensors.");
  const Json given = quantization["quant_method"];
  const std::string_view method = given.is(Json::Type::string) ? given.string() : "an unknown method";
  const std::vector<Expr> block = block_size(quantization, b.pool());
  if (method == "fp8" && !block.empty())
    fp8_scales(b, quantization, block);
  else if (method == "mxfp4")
    mxfp4_scales(b, quantization);
  else
    b.note(
        field,
        concat(
            {"The files are quantised (", clipped(method, 100),
             "). Counted are the weights that the model has; the files may pack several into one number, and hold scales beside them."}));
}

}  // namespace

Repeated repeated(const Row& row) {
  if (row.repeats.empty()) return {};
  const std::string_view name = row.name;
  for (std::size_t at = name.find('.'); at != std::string_view::npos;) {
    const std::size_t end = name.find('.', ++at);
    if (end == std::string_view::npos) break;
    const std::string_view segment = name.substr(at, end - at);
    if (is_index(segment)) return {name.substr(0, at - 1), segment, name.data() + end + 1};
    at = end;
  }
  return {};
}

bool in_few_bits(const Row& row) {
  if (row.role != Role::matrix || row.shape.size() < 2) return false;
  switch (row.part) {
    case Part::attention: return !row.name.ends_with(".weights_proj.weight");  // an indexer's, which is kept in 32 bits
    case Part::state_space:
    case Part::feed_forward:
    case Part::vision:
    case Part::audio: return true;
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
    for (const Expr e : row.repeats) out[i] = multiply(out[i], e.value());
    const Repeated name = repeated(row);
    if (!name) continue;
    const Expr count = row.repeats.front();
    const IndexSet converted = kept.converted(name, count);
    out[i] = converted.empty() ? 0 : out[i] / count.value() * converted.count.value();
  }
  return out;
}

bool is_prediction(const Row& row) { return row.reason == predicts; }
bool is_scale(const Row& row) { return row.reason == fp8_reason || row.reason == mxfp4_reason; }

void record_published(Config c, Builder& b, std::string_view model_type) {
  tied_heads(b);
  prediction_layers(c, b, model_type);
  quantization_scales(c, b);
}

}  // namespace param_ledger
