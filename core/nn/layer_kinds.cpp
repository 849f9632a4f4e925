#include "core/nn/layer_kinds.hpp"

#include <algorithm>
#include <utility>

#include "core/config/constraints.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

IndexSet named_layers(Config c, Expr n_layers, Text name, Text symbol, Text meaning, std::span<const std::uint64_t> indices) {
  if (indices.size() == n_layers.decide()) return all(n_layers);
  if (indices.empty()) return {};
  return listed(indices, c.count(name, symbol, meaning, indices.size()));
}

LayerList::LayerList(std::vector<std::int64_t> indices) : indices_(std::move(indices)) { std::sort(indices_.begin(), indices_.end()); }

bool LayerList::has(std::size_t layer) const {
  return std::binary_search(indices_.begin(), indices_.end(), static_cast<std::int64_t>(layer));
}

std::vector<AlikeLayers> alike_layers(Expr n_layers, std::span<const std::int64_t> numbers) {
  require_listable(n_layers);
  std::vector<std::uint64_t> layers(numbers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) layers[i] = i;
  std::sort(layers.begin(), layers.end(), [&](std::uint64_t a, std::uint64_t b) {
    const std::int64_t x = numbers[static_cast<std::size_t>(a)], y = numbers[static_cast<std::size_t>(b)];
    return x != y ? x < y : a < b;
  });
  std::vector<AlikeLayers> out;
  for (const std::uint64_t layer : layers) {
    const std::int64_t number = numbers[static_cast<std::size_t>(layer)];
    if (out.empty() || out.back().number != number) out.push_back({number, {}});
    out.back().layers.push_back(layer);
  }
  return out;
}

Split sparse_layers(Config c, Expr n_layers, std::vector<std::int64_t> dense) {
  const Expr step = c.integer("decoder_sparse_step", 1);
  dense = c.integers("mlp_only_layers", std::move(dense));
  require_positive(step);
  if (step.decide() == 1 && dense.empty()) return {all(n_layers), {}};
  const LayerList others(std::move(dense));
  return split(c, n_layers, "num_sparse_layers", "L_e", "Mixture-of-experts layers, as given by decoder_sparse_step and mlp_only_layers.",
               [&](std::size_t i) { return (i + 1) % step.decide() == 0 && !others.has(i); });
}

Split linear_layers(Config c, Expr n_layers, const std::vector<std::string_view>& kinds) {
  return split(c, n_layers, "num_linear_attention_layers", "L_l", "Layers with linear attention; the others have full attention.",
               [&](std::size_t i) { return kinds[i] == "linear_attention"; });
}

LayerOverrides::LayerOverrides(Config c, Expr n_layers, std::span<const std::string_view> fields)
    : config_(c), given_(c.has("per_layer_config")) {
  if (!given_) return;
  const auto refuse = [&](std::string_view key, Text message) {
    c.refuse(ErrorCode::unsupported, concat({"per_layer_config.", clipped(key, 100)}), message, Refused::per_layer_config);
  };
  const Json given = c.peek("per_layer_config");
  if (!given.is_null() && !given.is(Json::Type::object)) c.refuse(ErrorCode::wrong_type, "per_layer_config", "must be an object.");
  c.consume("per_layer_config");
  require_listable(n_layers);
  layers_.resize(static_cast<std::size_t>(n_layers.decide()));
  for (const auto& [key, layer] : given.members()) {
    std::string_view rest = key;
    const std::optional<std::size_t> index = parse_integer<std::size_t>(rest);
    if (!index || !rest.empty() || *index >= layers_.size()) refuse(key, "must be the index of a layer.");
    if (!layer.is(Json::Type::object)) refuse(key, "must be an object of fields.");
    for (const auto& [field, value] : layer.members())
      if (std::find(fields.begin(), fields.end(), field) == fields.end() || !value.is(Json::Type::integer) || value.negative())
        refuse(concat({key, ".", field}), "is not a field that this model type allows for single layers.");
    layers_[*index] = layer;
  }
}

Expr LayerOverrides::of(const std::vector<std::string_view>& kinds, Text kind, Text field, Expr otherwise, Text symbol) const {
  std::optional<Count> found;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (kinds[i] != kind) continue;
    const Json own = layers_[i][field];
    const Count value = own ? own.magnitude() : otherwise.decide();
    if (found && *found != value)
      config_.refuse(ErrorCode::unsupported, "per_layer_config", concat({"must give all ", kind, " layers the same ", field, "."}),
                     Refused::per_layer_config);
    found = value;
  }
  if (!found || *found == otherwise.decide()) return otherwise;
  return config_.count(concat({field, " of ", kind}), symbol, "The value in per_layer_config for layers of this kind.", *found);
}

Count LayerOverrides::at(std::uint64_t layer, Text field, Count otherwise) const {
  if (!given_) return otherwise;
  const Json own = layers_[static_cast<std::size_t>(layer)][field];
  return own ? own.magnitude() : otherwise;
}

IndexSet layers_of(Config c, const std::vector<std::string_view>& kinds, Text kind, Expr n_layers, Text name, Text symbol, Text meaning) {
  return layers_where(c, n_layers, name, symbol, meaning, [&](std::size_t i) { return kinds[i] == kind; });
}

void use_current_names(std::vector<std::string_view>& kinds) {
  for (std::string_view& kind : kinds) {
    if (kind == "mamba") kind = "linear_attention";
    if (kind == "attention") kind = "full_attention";
  }
}

}  // namespace param_ledger
