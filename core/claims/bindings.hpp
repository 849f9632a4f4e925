#pragma once

#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// The symbols and the names of a model's integer fields, for expressions. Symbols come first, so that none hides a field's own name.
std::vector<Binding> bindings_of(const Model& model);

}  // namespace param_ledger
