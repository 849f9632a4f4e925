#pragma once

#include <optional>

#include "core/builder/builder.hpp"
#include "core/config/ignored_fields.hpp"

namespace param_ledger {

/// A warning if an ignored key was probably meant as another field: it is another model type's name for the same dimension, or a typo.
std::optional<Note> meant_field(const Configuration& config, const IgnoredField& ignored);

}  // namespace param_ledger
