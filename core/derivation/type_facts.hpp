#pragma once

#include <string_view>

namespace param_ledger {

/// Facts about a model type that its tensors do not show, from transformers' default configuration and code. Used in explanations.
struct TypeFacts {
  std::string_view model_type;
  std::string_view activation;   ///< empty: not known
  bool rotary, rms, sinusoidal;  ///< has rotary positions; its norms are RMSNorm; has sinusoidal positions
};

/// The facts about a model type; null for a type that transformers does not have.
const TypeFacts* type_facts(std::string_view model_type);

}  // namespace param_ledger
