#pragma once

#include "core/builder/builder.hpp"

namespace param_ledger {

/// Adds a warning if transformers can build the attention block but not run it, because the number of key-value heads does not divide the
/// number of heads. If head_dim is derived from the hidden size, adds a note if the heads do not use all of it, because their number does
/// not divide it. Each message is added once. A search skips configurations with either message unless its request sets `uneven`.
void remark_shares(Builder& b, Expr heads, Expr kv_heads, Expr head_dim);

}  // namespace param_ledger
