#pragma once

#include <string_view>
#include <vector>

#include "core/config/config.hpp"
#include "core/expr/index_set.hpp"

namespace param_ledger {

/// For each layer, whether it has its own indexer ("full") or uses another layer's ("shared"). Determined by indexer_types, by a pattern of
/// letters, or by index_topk_freq: after the first index_skip_topk_offset layers, which are full, only every index_topk_freq-th layer is.
/// Source: transformers, models/glm_moe_dsa, glm5_next, mistral_large4.
std::vector<std::string_view> indexer_kinds(Config c, Expr n_layers);

/// The layers that have their own indexer.
IndexSet indexed_layers(Config c, Expr n_layers);

}  // namespace param_ledger
