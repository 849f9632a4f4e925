#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/config/config.hpp"
#include "core/config/constraints.hpp"
#include "core/expr/index_set.hpp"

namespace param_ledger {

/// These of n layers, ascending and distinct, as an index set whose count formulas write as `name` (`symbol`); all of them are
/// `all(n_layers)`, without a name of their own.
IndexSet named_layers(Config c, Expr n_layers, Text name, Text symbol, Text meaning, std::span<const std::uint64_t> indices);

/// The same of the layers 0 … n-1 for which `is(i)` holds. Throws Error{too_large} for more layers than can be listed.
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
  std::vector<std::int64_t> indices_;  // ascending
};

/// The layers to which a list with a number for each layer gives the same one.
struct AlikeLayers {
  std::int64_t number;
  std::vector<std::uint64_t> layers;
};
/// One for each distinct number, ascending. Throws Error{too_large} for more layers than can be listed.
std::vector<AlikeLayers> alike_layers(Expr n_layers, std::span<const std::int64_t> numbers);

/// The layers that are in one set of indices and those that are not.
struct Split {
  IndexSet in;
  IndexSet out;  ///< its count is n_layers − that of `in`
};
template <class Predicate>
Split split(Config c, Expr n_layers, Text name, Text symbol, Text meaning, const Predicate& is) {
  const IndexSet in = layers_where(c, n_layers, name, symbol, meaning, is);
  if (in.empty()) return {{}, all(n_layers)};
  return {in, without(n_layers, in)};
}

/// Old names of layer kinds in the place of which transformers puts new ones ("mamba" is "linear_attention").
void modernise(std::vector<std::string_view>& kinds);

/// layer_types or its like: the kind of each layer, one of `choices`; where missing or null what `pattern(i)` says of layer i.
/// Old names ("mamba", "attention") are those that transformers puts in their place. Refuses a list of another length.
template <class Pattern>
std::vector<std::string_view> layer_kinds(Config c, Text field, Expr n_layers, std::span<const std::string_view> choices,
                                          const Pattern& pattern) {
  std::optional<std::vector<std::string_view>> given = c.words(field, choices);
  if (given) {
    c.require_length(field, given->size(), n_layers);
    modernise(*given);
    return *std::move(given);
  }
  require_listable(n_layers);
  std::vector<std::string_view> kinds;
  kinds.reserve(static_cast<std::size_t>(n_layers.decide()));
  for (std::size_t i = 0; i < n_layers.decide(); ++i) kinds.push_back(pattern(i));
  return kinds;
}

/// Layers with a mixture of experts as Qwen's types say it: those that are none of mlp_only_layers and come every
/// decoder_sparse_step layers; the others are dense. `dense` is the default of mlp_only_layers.
Split sparse_layers(Config c, Expr n_layers, std::vector<std::int64_t> dense = {});

/// Splits layers of linear attention from others, which have full attention.
Split linear_layers(Config c, Expr n_layers, const std::vector<std::string_view>& kinds);
/// The same by layer_types; where missing or null those are full of which `full(i)` says so.
template <class Full>
Split linear_layers(Config c, Expr n_layers, const Full& full) {
  static constexpr std::string_view choices[] = {"linear_attention", "full_attention", "mamba", "attention"};
  return linear_layers(c, n_layers, layer_kinds(c, "layer_types", n_layers, choices, [&](std::size_t i) -> std::string_view {
                         return full(i) ? "full_attention" : "linear_attention";
                       }));
}

/// per_layer_config: what single layers hold in the place of fields of the configuration.
/// Source: transformers, integrations/heterogeneity.
class LayerOverrides {
 public:
  /// Throws where it holds anything but these fields, for layers that there are.
  LayerOverrides(Config c, Expr n_layers, std::span<const std::string_view> fields);
  /// False where the configuration does not have one, not even an empty one.
  explicit operator bool() const { return given_; }
  /// The field in the layers of one kind, which must be alike in it; `otherwise` where they hold none of their own.
  /// Formulas write it as the field "of" that kind (`symbol`).
  [[nodiscard]] Expr of(const std::vector<std::string_view>& kinds, Text kind, Text field, Expr otherwise, Text symbol) const;
  /// The field in one layer.
  [[nodiscard]] Count at(std::uint64_t layer, Text field, Count otherwise) const;

 private:
  Config config_;
  bool given_;
  std::vector<Json> layers_;
};

/// The layers of one kind.
IndexSet layers_of(Config c, const std::vector<std::string_view>& kinds, Text kind, Expr n_layers, Text name, Text symbol, Text meaning);

}  // namespace param_ledger
