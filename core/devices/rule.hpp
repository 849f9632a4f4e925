#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/support/text.hpp"

namespace param_ledger {

/// How a module's parameters are divided among devices, named as in transformers' plans if they have a name for it. The rules for
/// transformers (plan_rules.hpp) leave out modules that are not divided.
enum class Style : std::uint8_t {
  replicate,              ///< whole on every device
  colwise,                ///< by the second to last dimension of a weight, the outputs of a weight [out, in]; also the bias
  colwise_gather_output,  ///< colwise, and the outputs are gathered on every device
  colwise_repeated,       ///< colwise by whole key-value heads; with fewer heads than devices, several devices hold the same head
  rowwise,                ///< by the last dimension of a weight, the inputs of a weight [out, in]; the bias stays whole
  rowwise_split_input,    ///< rowwise, but every device has the whole input
  embedding_rowwise,      ///< an embedding table, by rows
  embedding_colwise,      ///< an embedding table, by columns
  packed_colwise,         ///< colwise, but the gate and up projections of a fused weight are divided separately
  packed_rowwise,         ///< by the last dimension, gate and up projections separately, for a fused weight stored as [in, out]
  grouped_gemm,           ///< by experts, each of them whole on a device
};
std::string_view spelling(Style style);

/// The style of a module. The module's name is relative to the model and spelled as in checkpoints; `*` stands for one segment, and `|`
/// separates alternatives. Routed experts are always named "experts.gate_up_proj" and "experts.down_proj", because files store them in
/// several ways.
struct Rule {
  Text module;
  Style style;
};
using Rules = std::span<const Rule>;

}  // namespace param_ledger
