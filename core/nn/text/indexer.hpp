#pragma once

#include <string_view>
#include <vector>

#include "core/config/config.hpp"
#include "core/expr/index_set.hpp"

namespace param_ledger {

/// Whether each layer has its own indexer ("full") or uses another layer's ("shared"): from indexer_types, a pattern of letters, or every
/// index_topk_freq-th layer. Source: transformers, models/glm_moe_dsa, glm5_next.
std::vector<std::string_view> indexer_kinds(Config c, Expr n_layers);

/// The layers that have their own indexer.
IndexSet indexed_layers(Config c, Expr n_layers);

}  // namespace param_ledger
