#include "core/layer_kinds.hpp"

#include <algorithm>

namespace param_ledger {

Split sparse_layers(Config c, Expr n_layers) {
  const Expr step = c.integer("decoder_sparse_step", 1);
  std::vector<std::int64_t> dense = c.integers("mlp_only_layers").value_or(std::vector<std::int64_t>{});
  require_positive(step);
  if (step.value() == 1 && dense.empty()) return {all(n_layers), {}};
  std::sort(dense.begin(), dense.end());
  return split(c, n_layers, "num_sparse_layers", "L_e", "Layers with a mixture of experts, by decoder_sparse_step and mlp_only_layers.",
               [&](std::uint64_t i) {
                 return (i + 1) % step.value() == 0 && !std::binary_search(dense.begin(), dense.end(), static_cast<std::int64_t>(i));
               });
}

IndexSet layers_of(Config c, const std::vector<std::string_view>& kinds, std::string_view kind, Expr n_layers, std::string_view name,
                   std::string_view symbol, std::string_view meaning) {
  return layers_where(c, n_layers, name, symbol, meaning, [&](std::uint64_t i) { return kinds[i] == kind; });
}

void modernise(std::vector<std::string_view>& kinds) {
  for (std::string_view& kind : kinds) {
    if (kind == "mamba") kind = "linear_attention";
    if (kind == "attention") kind = "full_attention";
  }
}

}  // namespace param_ledger
