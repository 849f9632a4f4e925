#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/config.hpp"

// Finds the values of a configuration that no family read, and refuses activations with parameters that are not counted.
namespace param_ledger {

/// A value of the configuration that was neither read as a field nor consumed. In general, no tensor depends on it.
struct IgnoredField {
  std::string name;  ///< its name, dotted if nested
  Json value;        ///< the value as given
  Text reason;       ///< why it changes nothing; empty if there is no specific reason
};

std::vector<IgnoredField> ignored_fields(const Configuration& all);

/// Whether the activation has learned parameters.
bool is_learned_activation(std::string_view name);

/// Throws Error{unsupported} for an activation with learned parameters (prelu, xielu). For callers that do not count them.
void refuse_learned(Config c, Text field, std::string_view activation);

/// Throws Error{unsupported} if a field that no family read names an activation with learned parameters. A family that counts those
/// parameters reads the field.
void refuse_learned_activations(const Configuration& all);

}  // namespace param_ledger
