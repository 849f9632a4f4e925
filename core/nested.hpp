#pragma once

#include <string_view>

#include "core/family.hpp"

namespace param_ledger {

/// Records the bare model that a section of the configuration describes, under `name`.
Backbone nested(Config section, Builder& b, Text name, const Family& family);

/// The same where transformers asks AutoConfig: the family is that of the section's model_type, `fallback` where it says none.
/// Throws Error{unknown_architecture} for a type that cannot be counted.
Backbone nested_auto(Config section, Builder& b, Text name, Text fallback);

}  // namespace param_ledger
