#include "core/model/prediction_layers.hpp"

#include <algorithm>
#include <optional>

#include "core/builder/blocks.hpp"
#include "core/builder/row_names.hpp"
#include "core/nn/layers.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Text predicts = "An extra prediction (MTP) layer, used in training and for speculative decoding.";

/// The names in files of the modules that connect a prediction layer to the model, and of its final norm.
struct PredictionNames {
  Text projection, embedding_norm, hidden_norm, last_norm;
};
constexpr PredictionNames deepseek_names{"eh_proj", "enorm", "hnorm", "shared_head.norm"};
constexpr PredictionNames qwen_names{"fc", "pre_fc_norm_embedding", "pre_fc_norm_hidden", "norm"};
constexpr PredictionNames mimo_names{"input_proj", "token_layernorm", "hidden_layernorm", "final_layernorm"};
constexpr PredictionNames nemotron_names{"eh_proj", "enorm", "hnorm", "final_layernorm"};

using Place = PredictionLayers::Place;

/// Splits the name of a row in the model's layers at the layer's index. Empty for any other row.
Repeated in_layers(const Row& row) {
  if ((row.kind != Kind::parameter && row.kind != Kind::buffer) || row.tower == Tower::vision || row.tower == Tower::audio) return {};
  const Repeated name = repeated(row);
  return name.before == "layers" || name.before.ends_with(".layers") ? name : Repeated{};
}

/// Records a copy of the model's layer with this index.
void layer_again(Builder& b, std::uint64_t layer) {
  std::string_view index;  // consecutive rows usually have the same index
  bool holds = false;
  each_row(b, [&](const Row& row) {
    const Repeated name = in_layers(row);
    if (!name) return;
    if (name.index != index) {
      index = name.index;
      holds = contains(name.runs(), layer);
    }
    if (!holds) return;
    const auto at = static_cast<std::size_t>(&row - b.rows().data());
    b.like(row, name.after, row.shape, row.storage, 1);
    repeat_blocks(b, at);
  });
}

/// What is needed to record a model's prediction layers.
struct Surroundings {
  Expr hidden = {}, vocabulary = {};
  std::string layers = {};  ///< the prefix of the layers' names
  std::uint64_t last_layer = 0;
};

/// The surroundings of this model's prediction layers. None for a model without layers or without an embedding table.
std::optional<Surroundings> surroundings(const Builder& b, Expr n_layers) {
  if (is_zero(n_layers)) return {};
  Surroundings out{.last_layer = static_cast<std::uint64_t>(n_layers.peek() - 1)};
  for (const Row& row : b.rows()) {
    if (!out.hidden && row.in_text(Part::embedding) && row.storage == StorageKind::table && row.shape.size() == 2) {
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
  b.tower(Tower::projector, "", [&] { linear(b, names.projection, 2 * hidden, hidden); });
}

/// Records prediction layers that are built like the model's last layer, each with its own input projection.
void each_joined(Builder& b, const Surroundings& model, Text name, const IndexSet& indices, const PredictionNames& names, bool tables) {
  b.repeat(name, indices, [&] {
    if (tables) embedding(b, "embed_tokens", model.vocabulary, model.hidden);
    join(b, names, model.hidden);
    layer_again(b, model.last_layer);
    rms_norm(b, names.last_norm, model.hidden);
    if (tables) b.part(Part::output_head, [&] { linear(b, "shared_head.head", model.hidden, model.vocabulary); });
  });
}

/// The index of the last layer that contains this part; none if no layer does.
std::optional<std::uint64_t> layer_with(const Builder& b, Part part) {
  std::optional<std::uint64_t> out;
  for (const Row& row : b.rows()) {
    if (!row.in_text(part)) continue;
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

/// The part of the model that occurs only in layers of this kind. None for an unknown kind.
std::optional<Part> part_of_kind(std::string_view kind) {
  if (kind == "*" || kind == "attention" || kind == "full_attention") return Part::attention;
  if (kind == "M" || kind == "mamba" || kind == "linear_attention") return Part::state_space;
  if (kind == "E" || kind == "moe") return Part::router;
  return {};
}

/// The kinds of the prediction layers, from mtp_hybrid_override_pattern or mtp_layers_block_type. If neither lists any: an attention
/// layer and a mixture-of-experts layer.
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

/// Records prediction layers of the kinds in a pattern. Returns false if the configuration asks for several predictions, if the pattern is
/// too long, or if the model has no layer of one of these kinds to copy.
bool by_pattern(Config c, Builder& b, const Surroundings& model, Expr count) {
  constexpr std::size_t most_kinds = 100;
  const std::vector<std::string_view> kinds = kinds_of(c);
  if (count.decide() != 1 || kinds.size() > most_kinds) return false;
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
    b.note(field,
           concat({c.full_name(field), ": published files may also contain such layers, which are not counted for this model type."}));
}

void note_unknown_layers(Config c, Builder& b, Place place) {
  if (place == Place::unknown)
    return b.note("", "Published files of this model type also contain prediction layers, which are not counted.");
  for (const Text field : {"num_nextn_predict_layers", "mtp_num_hidden_layers"}) note_prediction_layers(c, b, field);
}

}  // namespace

void record_prediction_layers(Config c, Builder& b, const PredictionLayers& type) {
  if (b.architecture().head != Head::causal_lm && b.architecture().head != Head::conditional_generation) return;
  if (type.place == Place::none || type.place == Place::unknown) return note_unknown_layers(c, b, type.place);
  Config section = type.section.empty() ? c : c.section(type.section);
  const std::optional<Expr> given = section.optional_integer(type.field);
  const Expr count = given ? *given : c.literal(type.always ? 1 : 0), n_layers = c.pool().find(section.full_name("num_hidden_layers"));
  const std::optional<Surroundings> model = surroundings(b, n_layers);
  if (count.decide() == 0 || !model) return;
  const IndexSet appended{between(n_layers, n_layers + count).runs, count};
  b.beside(given ? Kind::published : Kind::possible, predicts, [&] {
    const InBlock block(b, {Mechanism::prediction_layer});
    switch (type.place) {
      case Place::none:
      case Place::unknown: break;
      case Place::appended: each_joined(b, *model, model->layers, appended, deepseek_names, false); break;
      case Place::appended_with_tables: each_joined(b, *model, model->layers, appended, deepseek_names, true); break;
      case Place::beside: each_joined(b, *model, "model.mtp_layers", all(count), mimo_names, false); break;
      case Place::apart: apart(b, *model, count); break;
      case Place::pattern:
        if (!by_pattern(section, b, *model, count)) note_prediction_layers(section, b, type.field);
        break;
    }
  });
}

bool is_prediction(const Row& row) { return row.reason == predicts; }

}  // namespace param_ledger
