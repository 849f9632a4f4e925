#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/support/text.hpp"

namespace param_ledger {

/// How a module's parameters are divided among devices, in the words of transformers' plans where it has them. Rules for modules with
/// undivided parameters are left out.
enum class Style : std::uint8_t {
  replicate,              ///< whole on every device
  colwise,                ///< by output features: the first dimension of a weight [out, in], and the bias
  colwise_gather_output,  ///< the same, and the outputs are gathered on every device
  colwise_repeated,       ///< the same by whole key-value heads; with fewer heads than devices, several devices hold the same head
  rowwise,                ///< by input features: the last dimension of a weight; the bias stays whole
  rowwise_split_input,    ///< the same, but every device has the whole input
  embedding_rowwise,      ///< an embedding table, by rows
  embedding_colwise,      ///< an embedding table, by columns
  packed_colwise,         ///< by output features, the gate and up projections separately
  packed_rowwise,         ///< the same for a weight stored as [in, out]
  grouped_gemm,           ///< whole experts
};
std::string_view spelling(Style style);

/// The style of a module. The name is relative to the model and as in checkpoints; `*` stands for one segment. Routed experts are always
/// named "experts.gate_up_proj" and "experts.down_proj", because files store them in several ways.
struct Rule {
  Text module;
  Style style;
};
using Rules = std::span<const Rule>;

/// The plans of a model type in transformers: of its configuration class (base_model_tp_plan, base_model_ep_plan) and of its classes with a
/// language model head (_tp_plan).
struct Plan {
  Text model_type;
  std::array<Rules, 6> tensor = {};
  std::array<Rules, 2> expert = {};
  Style head = Style::replicate;
  Text table = {};         ///< the embedding table, if files do not call it embed_tokens
  Text text = {};          ///< the type of the text model inside it, if its family does not give one
  bool unmatched = false;  ///< transformers' rules have not been matched with its rows

  [[nodiscard]] bool has_tensor() const { return !tensor[0].empty(); }
  [[nodiscard]] bool has_expert() const { return !expert[0].empty(); }
};

/// The plan of a model type in transformers 5.23, or null.
const Plan* plan_of(std::string_view model_type);

}  // namespace param_ledger
