#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/config/config.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

/// The same error, which says of each field that it blames whether that field is missing and has its default, and which given sizes are not
/// among `read`, the fields of the model type: "n_embd (768 by default) must be …". `read` is asked only then; an empty list says nothing.
Error explained(Error error, const Configuration& configuration, const std::function<std::vector<std::string>()>& read);

/// What a JSON object is that holds no model, and what is wanted instead: "This is the configuration of a LoRA adapter. …". Empty where it
/// is not recognised.
std::string other_kind_of_file(Json root);

}  // namespace param_ledger
