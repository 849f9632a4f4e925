#pragma once

#include <span>
#include <string>

#include "core/config/config.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

/// Adds to the message of a refusal that a field it names is missing and has its default: "n_embd (768 by default) must be …". Whether it
/// names any such field.
bool tell_defaults(Error& error, const Configuration& configuration);

/// The sizes of a configuration that are not among `read`, the fields of its model type, as a sentence. Empty where there are none, or
/// where `read` is.
std::string unread_sizes(Json root, std::span<const std::string> read);

/// What a JSON object is that holds no model, and what is wanted instead: "This is the configuration of a LoRA adapter. …". Empty where it
/// is not recognised.
std::string other_kind_of_file(Json root);

}  // namespace param_ledger
