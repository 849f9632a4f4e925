#pragma once

#include <string_view>

namespace param_ledger {

/// What explanations say of a model type that no tensor's shape tells: by transformers' default configuration and code.
struct TypeFacts {
  std::string_view model_type;
  std::string_view activation;  ///< empty: not known
  bool rotary, rms;             ///< rotary positions; norms are RMSNorm
};

/// Null for a type that transformers does not have.
const TypeFacts* type_facts(std::string_view model_type);

}  // namespace param_ledger
