#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/config.hpp"

// What was given in a configuration and never read.
namespace param_ledger {

/// A field of the configuration that no tensor depends on.
struct IgnoredField {
  std::string name;  ///< dotted when nested
  Json value;        ///< as given
  Text reason;       ///< empty: it does not change any tensor of this model
};

std::vector<IgnoredField> ignored_fields(const Configuration& all);

/// True for activations that have parameters of their own.
bool is_learned_activation(std::string_view name);

/// Throws Error{unsupported} for an activation with parameters of its own (prelu, xielu), which are not counted here.
void refuse_learned(Config c, Text field, std::string_view activation);

/// The same for one that was never read, anywhere: a family reads the field where it counts them.
void refuse_learned_activations(const Configuration& all);

}  // namespace param_ledger
