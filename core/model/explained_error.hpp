#pragma once

#include <span>
#include <string>

#include "core/config/config.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

/// Adds to a refusal's message that a field it names is missing and has its default: "n_embd (768 by default) must be …". Returns whether
/// it names such a field.
bool tell_defaults(Error& error, const Configuration& configuration);

/// A sentence on the sizes of a configuration that are not in `read`, the fields of its model type. Empty if there are none, or if it gives
/// one of `read`.
std::string unread_sizes(Json root, std::span<const std::string> read);

/// What a JSON object without a model is, and what is wanted instead: "This is the configuration of a LoRA adapter. …". Empty if it is not
/// recognised.
std::string other_kind_of_file(Json root);

}  // namespace param_ledger
