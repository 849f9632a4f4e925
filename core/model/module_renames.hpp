#pragma once

#include <string>
#include <vector>

#include "core/support/text.hpp"

namespace param_ledger {

/// A module or parameter that has one name in transformers and another in checkpoint files. `print(model)` and adapters use transformers'
/// name.
struct ModuleRename {
  Text model_types;  ///< the model types to which the rename applies, separated and surrounded by spaces
  Text stored;       ///< consecutive components of its name in files; \x01 stands for an index
  Text printed;      ///< transformers' name; if several modules are fused into one tensor, they get one name
};

/// The renames for a model type. Apply each one once, in this order.
std::vector<const ModuleRename*> module_renames(std::string_view model_type);

/// Whether the modules that transformers builds for a model type differ from those in its files in more than the renames: they have other
/// names, are fused or split, or are of a class that peft does not know.
bool has_other_modules(std::string_view model_type);

/// The name after applying the renames in order. A rename that contains an index applies only to names with \x01 in its place.
std::string renamed(const std::vector<const ModuleRename*>& renames, std::string name);

}  // namespace param_ledger
