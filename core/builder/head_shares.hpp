#pragma once

#include "core/builder/builder.hpp"

namespace param_ledger {

/// Adds a note, once, if transformers builds attention that cannot run (the key-value heads do not divide the heads) or if the heads do not
/// use the whole width. A search skips such shapes unless asked not to.
void remark_shares(Builder& b, Expr heads, Expr kv_heads, Expr head_dim);

}  // namespace param_ledger
