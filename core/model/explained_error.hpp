#pragma once

#include <span>
#include <string>

#include "core/config/config.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

/// Adds to the error's message which fields that it names were not given, so that their values are defaults: "n_embd (768 by default) must
/// be …". Returns whether there are any.
bool tell_defaults(Error& error, const Configuration& configuration);

/// A sentence that lists up to three integers at the top level of a configuration that look like sizes and that its model type does not
/// read. `read`: the fields that the type reads. Empty if there are none, or if `read` is empty.
std::string unread_sizes(Json root, std::span<const std::string> read);

/// For a JSON object that is not the configuration of a transformers model: says which kind of file it is and which file is needed: "This
/// is a configuration of OpenCLIP. Give the config.json of the same model in transformers instead." Empty if the kind is not recognised.
std::string other_kind_of_file(Json root);

}  // namespace param_ledger
