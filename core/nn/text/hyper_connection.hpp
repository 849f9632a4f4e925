#pragma once

#include <string_view>

#include "core/builder/builder.hpp"

namespace param_ledger {

// Hyper-connections: several parallel residual streams, which each block mixes with weights that depend on the token.

/// Records `prefix`fn [outputs, copies × hidden], base [outputs] and scale [scales], in the part `adapter`. Source: transformers,
/// models/deepseek_v4, glm5_next, hy_v4.
void hyper_connection(Builder& b, Text prefix, Expr hidden, Expr copies, Expr outputs, std::uint64_t scales);

}  // namespace param_ledger
