#pragma once

#include "core/config.hpp"
#include "core/index_set.hpp"

namespace param_ledger {

/// Layers with an indexer of their own: indexer_types, or a pattern of letters, or every index_topk_freq-th.
IndexSet indexed_layers(Config c, Expr n_layers);

}  // namespace param_ledger
