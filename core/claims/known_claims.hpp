#pragma once

#include <string_view>

#include "core/support/quantity.hpp"

namespace param_ledger {

/// A published number that no count gives, but whose origin is known: an error of the authors, or the contents of an old file.
struct KnownClaim {
  std::string_view model;  ///< its common name
  Count parameters;        ///< the model's parameters, which identify it
  Count claimed;
  bool bytes;
  std::string_view history;  ///< one sentence
  std::string_view source;
};

/// The known origin of such a number for a model with that many parameters; else null. It is not an explanation.
const KnownClaim* known_claim(Count parameters, const Quantity& claim);

}  // namespace param_ledger
