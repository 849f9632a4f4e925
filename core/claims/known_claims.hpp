#pragma once

#include <string_view>

#include "core/support/quantity.hpp"

namespace param_ledger {

/// A published number that no convention gives, although its origin is known, such as an error of its authors, the contents of an old file
/// or modules outside the model.
struct KnownClaim {
  std::string_view model;  ///< the model's common name
  Count parameters;        ///< the model's parameter count, which identifies it
  Count claimed;
  bool bytes;
  std::string_view history;  ///< the origin of the number, in words
  std::string_view source;
};

/// The known origin of a claim about a model with this many parameters; null if there is none. It does not count as an explanation.
const KnownClaim* known_claim(Count parameters, const Quantity& claim);

}  // namespace param_ledger
