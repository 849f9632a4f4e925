#pragma once

#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// The symbols and the names of a model's integer fields with their values, for expressions. Symbols come first: the last binding of a name
/// counts, so no symbol hides a field's own name.
std::vector<Binding> bindings_of(const Model& model);

}  // namespace param_ledger
