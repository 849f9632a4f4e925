#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/config/config.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

/// Adds to an error whether the fields that it names are missing and have their defaults, and which given sizes are not among `read`, the
/// fields of the model type: "n_embd (768 by default) must be …". `read` is called only if needed; an empty list adds nothing.
Error explained(Error error, const Configuration& configuration, const std::function<std::vector<std::string>()>& read);

/// Describes a JSON object that is not a model's configuration, and what is needed instead: "This is the configuration of a LoRA adapter.
/// …". Empty if it is not recognised.
std::string other_kind_of_file(Json root);

}  // namespace param_ledger
