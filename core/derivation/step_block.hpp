#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/builder/blocks.hpp"
#include "core/builder/builder.hpp"

namespace param_ledger {

/// A row in a step, and how many elements it contributes to the step's value.
struct StepLine {
  const Row* row;
  Expr elements;
};

/// What the rows of a step have in common. Members that differ between the rows are empty.
struct StepBlock {
  std::string_view mechanism = {};  ///< spelled as in answers; attention is named by its heads: multi_head_attention
  Expr heads = {}, kv_heads = {};
  Expr experts = {};  ///< experts in a layer
  Count active = 0;   ///< how many of the experts a token uses
  Owner owner = Owner::itself;
  bool predicted = false;  ///< part of a multi-token-prediction layer
};

/// The innermost block that has a mechanism; null if none has. Gated attention and other variants replace the plain block inside them, and
/// masked prediction replaces any block inside it.
const Block* innermost(const std::vector<const Block*>& blocks);

/// How many of a row's experts a token uses; 0 if the row has no experts, or if that is not known.
Count active_experts(const Row& row);

/// Finds the mechanism, heads and experts that the tensors of a step share. Tensors without a recorded block do not affect the mechanism
/// and the heads unless no tensor has one. If the blocks differ, the mechanism and the heads are left empty.
StepBlock describe_block(std::span<const StepLine> lines, const std::function<const Block*(const Row&)>& block_of);

}  // namespace param_ledger
