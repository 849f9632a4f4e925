#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/derivation/derivation.hpp"

namespace param_ledger {

/// The innermost block that has a mechanism; null if none has. Gated attention replaces the plain attention inside it, and masked
/// prediction the norm inside it.
const Block* innermost(const std::vector<const Block*>& blocks);

/// What all tensors of a step have in common: their mechanism, heads and experts. Where blocks differ, only what is the same in all of
/// them.
StepBlock describe_block(std::span<const StepLine> lines, const std::function<const Block*(const Row&)>& block_of);

}  // namespace param_ledger
