#pragma once

#include <optional>

#include "core/builder/builder.hpp"
#include "core/config/ignored_fields.hpp"

namespace param_ledger {

/// A warning that an ignored key means a field: one of another type for the same dimension, or a typing error.
std::optional<Note> meant_field(const Configuration& config, const IgnoredField& ignored);

}  // namespace param_ledger
