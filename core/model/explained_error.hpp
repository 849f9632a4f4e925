#pragma once

#include <span>
#include <string>

#include "core/config/config.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

/// Completes an error's message if a field that it names is not given and has its default: "n_embd (768 by default) must be …". Returns
/// whether there is such a field.
bool tell_defaults(Error& error, const Configuration& configuration);

/// A sentence that lists up to three sizes in a configuration that its model type does not read. `read`: the fields that it reads. Empty if
/// there are no such sizes, or if `read` is empty.
std::string unread_sizes(Json root, std::span<const std::string> read);

/// Says which kind of file a JSON object is if it does not describe a model, and which file is wanted: "This is an adapter's configuration
/// (adapter_config.json), not of a model: …". Empty if the kind is not recognised.
std::string other_kind_of_file(Json root);

}  // namespace param_ledger
