#pragma once

#include <string_view>

namespace param_ledger {

/// Facts about a model type that its tensors do not show, from transformers' default configuration and code. Used in explanations.
struct TypeFacts {
  std::string_view model_type;
  std::string_view activation;  ///< empty: not known
  /// How it encodes positions without parameters: `rotary`, `sinusoidal`, `relative` (sinusoids of distances), `convolution`, or empty.
  std::string_view positions;
  bool rms;  ///< whether its norms without a shift are RMSNorm
};

/// The facts about a model type; null for a type that transformers does not have.
const TypeFacts* type_facts(std::string_view model_type);

}  // namespace param_ledger
