#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/config/config.hpp"
#include "core/config/constraints.hpp"
#include "core/expr/index_set.hpp"

namespace param_ledger {

/// An index set of the given layers, which must be ascending and distinct. In formulas, their number is called `name` (`symbol`). If these
/// are all layers, the set is `all(n_layers)`. If there are none, it is empty. In both cases no name is created.
IndexSet named_layers(Config c, Expr n_layers, Text name, Text symbol, Text meaning, std::span<const std::uint64_t> indices);

/// Like `named_layers`, for all layers i with `is(i)`. Throws Error{too_large} if there are too many layers to list.
template <class Predicate>
IndexSet layers_where(Config c, Expr n_layers, Text name, Text symbol, Text meaning, const Predicate& is) {
  require_listable(n_layers);
  std::vector<std::uint64_t> indices;
  for (std::size_t i = 0; i < n_layers.decide(); ++i)
    if (is(i)) indices.push_back(i);
  return named_layers(c, n_layers, name, symbol, meaning, indices);
}

/// Layers that a configuration lists by index, in any order.
class LayerList {
 public:
  explicit LayerList(std::vector<std::int64_t> indices);
  [[nodiscard]] bool has(std::size_t layer) const;

 private:
  std::vector<std::int64_t> indices_;  // the listed indices in ascending order
};

/// Layers that have the same value in a list with one number per layer.
struct AlikeLayers {
  std::int64_t number;
  std::vector<std::uint64_t> layers;
};
/// Groups the layers by their value in `numbers`: one entry per distinct value, in ascending order. Throws Error{too_large} if there are
/// too many layers to list.
std::vector<AlikeLayers> alike_layers(Expr n_layers, std::span<const std::int64_t> numbers);

/// The layers, divided into a set (`in`) and all others (`out`).
struct Split {
  IndexSet in;
  IndexSet out;  ///< all other layers; their number is n_layers − the number of layers in `in`
};
template <class Predicate>
Split split(Config c, Expr n_layers, Text name, Text symbol, Text meaning, const Predicate& is) {
  const IndexSet in = layers_where(c, n_layers, name, symbol, meaning, is);
  if (in.empty()) return {{}, all(n_layers)};
  return {in, without(n_layers, in)};
}

/// Replaces old names of layer kinds by current ones, as transformers does ("mamba" becomes "linear_attention").
void use_current_names(std::vector<std::string_view>& kinds);

/// The kind of each layer, read from layer_types or a similar field. The entries must be in `choices`. If the field is missing or null,
/// layer i has the kind `pattern(i)`. Old names of kinds ("mamba", "attention") are replaced by current ones. Throws if the list does not
/// have one entry per layer.
template <class Pattern>
std::vector<std::string_view> layer_kinds(Config c, Text field, Expr n_layers, std::span<const std::string_view> choices,
                                          const Pattern& pattern) {
  std::optional<std::vector<std::string_view>> given = c.words(field, choices);
  if (given) {
    c.require_length(field, given->size(), n_layers);
    use_current_names(*given);
    return *std::move(given);
  }
  require_listable(n_layers);
  std::vector<std::string_view> kinds;
  kinds.reserve(static_cast<std::size_t>(n_layers.decide()));
  for (std::size_t i = 0; i < n_layers.decide(); ++i) kinds.push_back(pattern(i));
  return kinds;
}

/// Divides layers by Qwen's rule: every decoder_sparse_step-th layer has a mixture of experts, except those in mlp_only_layers. The others
/// are dense. `dense` is the default of mlp_only_layers.
Split sparse_layers(Config c, Expr n_layers, std::vector<std::int64_t> dense = {});

/// Divides layers into those with linear attention (`in`) and those with full attention (`out`).
Split linear_layers(Config c, Expr n_layers, const std::vector<std::string_view>& kinds);
/// Divides layers into those with linear and those with full attention, according to layer_types. If the field is missing or null, the
/// layers i with `full(i)` have full attention.
template <class Full>
Split linear_layers(Config c, Expr n_layers, const Full& full) {
  static constexpr std::string_view choices[] = {"linear_attention", "full_attention", "mamba", "attention"};
  return linear_layers(c, n_layers, layer_kinds(c, "layer_types", n_layers, choices, [&](std::size_t i) -> std::string_view {
                         return full(i) ? "full_attention" : "linear_attention";
                       }));
}

/// The field per_layer_config, which overrides other fields in single layers. Source: transformers, integrations/heterogeneity.
class LayerOverrides {
 public:
  /// Throws if per_layer_config contains layers that do not exist, fields other than `fields`, or values other than non-negative integers.
  LayerOverrides(Config c, Expr n_layers, std::span<const std::string_view> fields);
  /// Whether the configuration contains per_layer_config, even if it is empty.
  explicit operator bool() const { return given_; }
  /// The value of the field in the layers of one kind, or `otherwise` if these layers do not set it. Throws if the layers have different
  /// values. In formulas a value other than `otherwise` is called "<field> of <kind>" (`symbol`).
  [[nodiscard]] Expr of(const std::vector<std::string_view>& kinds, Text kind, Text field, Expr otherwise, Text symbol) const;
  /// The value of the field in one layer, or `otherwise` if per_layer_config does not set it there.
  [[nodiscard]] Count at(std::uint64_t layer, Text field, Count otherwise) const;

 private:
  Config config_;
  bool given_;
  std::vector<Json> layers_;
};

/// The layers of one kind, as an index set like that of `named_layers`.
IndexSet layers_of(Config c, const std::vector<std::string_view>& kinds, Text kind, Expr n_layers, Text name, Text symbol, Text meaning);

}  // namespace param_ledger
