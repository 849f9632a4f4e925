#pragma once

#include <string_view>

#include "core/support/quantity.hpp"

namespace param_ledger {

/// A number of a model that no count gives and that has a history: its authors' slip, or what an old file holds.
struct KnownClaim {
  std::string_view model;  ///< as it is called
  Count parameters;        ///< of the model, which tells it
  Count claimed;
  bool bytes;
  std::string_view history;  ///< a sentence
  std::string_view source;
};

/// What is known of such a number of a model with so many parameters; else null. It explains nothing: it tells where the number is from.
const KnownClaim* known_claim(Count parameters, const Quantity& claim);

}  // namespace param_ledger
