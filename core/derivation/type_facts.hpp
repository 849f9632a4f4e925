#pragma once

#include <string_view>

namespace param_ledger {

/// Facts about a model type that its tensors do not show, from its default configuration and its code. Used in explanations.
struct TypeFacts {
  std::string_view model_type;
  std::string_view activation;  ///< empty: not known
  /// How it encodes positions without a learned table: `rotary`, `sinusoidal`, `relative` (sinusoids of distances), `convolution` (only by
  /// convolutions that pad their input), or empty if it does so in none of these ways.
  std::string_view positions;
};

/// The facts about a model type; null if none are known.
const TypeFacts* type_facts(std::string_view model_type);

}  // namespace param_ledger
