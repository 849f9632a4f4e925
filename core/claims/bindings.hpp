#pragma once

#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// Binds the symbols and the names of a model's integer fields to their values. Symbols come first: the last binding of a name counts, so a
/// symbol never hides a field of the same name.
std::vector<Binding> bindings_of(const Model& model);

}  // namespace param_ledger
