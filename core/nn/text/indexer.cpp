#include "core/nn/text/indexer.hpp"

#include "core/nn/layer_kinds.hpp"

namespace param_ledger {

std::vector<std::string_view> indexer_kinds(Config c, Expr n_layers) {
  static constexpr std::string_view kinds_of_indexers[] = {"full", "shared"};
  const auto pattern = c.optional_text("index_topk_pattern");
  const Expr step = c.integer("index_topk_freq", attribute.or_else(c.literal(1))),
             offset = c.integer("index_skip_topk_offset", attribute.or_else(c.literal(2)));
  const Count every = step.decide() > 1 ? step.decide() : 1, start = offset.decide();
  if (pattern) {
    c.require_length("index_topk_pattern", pattern->size(), n_layers);
    if (pattern->find_first_not_of("FS") != std::string_view::npos)
      c.refuse(ErrorCode::out_of_range, "index_topk_pattern", "must have a letter for each layer, F or S.");
  }
  return layer_kinds(c, "indexer_types", n_layers, kinds_of_indexers, [&](std::size_t i) {
    const bool full = pattern ? (*pattern)[i] == 'F' : i < start || (i + 1 - start) % every == 0;
    return full ? "full" : "shared";
  });
}

IndexSet indexed_layers(Config c, Expr n_layers) {
  return layers_of(c, indexer_kinds(c, n_layers), "full", n_layers, "num_indexers", "L_i", "Layers with their own indexer.");
}

}  // namespace param_ledger
