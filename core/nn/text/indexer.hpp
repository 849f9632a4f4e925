#pragma once

#include <string_view>
#include <vector>

#include "core/config/config.hpp"
#include "core/expr/index_set.hpp"

namespace param_ledger {

/// Which layers have an indexer of their own ("full") and which take another's ("shared"): indexer_types, or a pattern of letters, or every
/// index_topk_freq-th. Source: transformers, models/glm_moe_dsa, glm5_next.
std::vector<std::string_view> indexer_kinds(Config c, Expr n_layers);

/// The layers with an indexer of their own.
IndexSet indexed_layers(Config c, Expr n_layers);

}  // namespace param_ledger
