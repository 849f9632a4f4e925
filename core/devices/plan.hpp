#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/support/text.hpp"

namespace param_ledger {

/// How the parameters of a module are divided among devices, in the words of transformers' plans where it has them. What its plans say of
/// modules whose parameters stay whole is left out.
enum class Style : std::uint8_t {
  replicate,              ///< whole on every device
  colwise,                ///< by output features: the first dimension of a weight [out, in], and the bias
  colwise_gather_output,  ///< the same, and the outputs are gathered on every device
  colwise_repeated,       ///< the same by whole key-value heads: where there are fewer than devices, several hold the same one
  rowwise,                ///< by input features: the last dimension of a weight; the bias stays whole
  rowwise_split_input,    ///< the same of an input that every device has whole
  embedding_rowwise,      ///< a table by its rows
  embedding_colwise,      ///< a table by its columns
  packed_colwise,         ///< by output features, gate and up projections each for itself
  packed_rowwise,         ///< the same where a weight stands [in, out]
  grouped_gemm,           ///< whole experts
};
std::string_view spelling(Style style);

/// The style of a module: its name inside a model, where `*` stands for one segment, as checkpoints have it. Routed experts are named by
/// what they do, as files hold them in several ways: "experts.gate_up_proj" and "experts.down_proj".
struct Rule {
  Text module;
  Style style;
};
using Rules = std::span<const Rule>;

/// What transformers' configuration class of a model type says (base_model_tp_plan, base_model_ep_plan), and its classes with a language
/// model head (_tp_plan).
struct Plan {
  Text model_type;
  std::array<Rules, 6> tensor = {};
  std::array<Rules, 2> expert = {};
  Style head = Style::replicate;
  Text table = {};         ///< the table of tokens, where files do not call it embed_tokens
  Text text = {};          ///< the type of the text model inside it, where its family has none of its own
  bool unmatched = false;  ///< what transformers divides of it has not been matched with its rows

  [[nodiscard]] bool has_tensor() const { return !tensor[0].empty(); }
  [[nodiscard]] bool has_expert() const { return !expert[0].empty(); }
};

/// The plan of a model type in transformers 5.23, or null.
const Plan* plan_of(std::string_view model_type);

}  // namespace param_ledger
