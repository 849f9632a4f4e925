#pragma once

#include "core/builder/builder.hpp"

namespace param_ledger {

/// Remarks, once, where transformers builds what its attention cannot run (heads that key-value heads do not share out), or where the
/// heads' own shares leave a rest of the width. A search leaves such shapes aside unless it is asked not to.
void remark_shares(Builder& b, Expr heads, Expr kv_heads, Expr head_dim);

}  // namespace param_ledger
