#pragma once

#include <string>
#include <vector>

#include "core/support/text.hpp"

namespace param_ledger {

/// A module that transformers builds under another name than files have: `print(model)` shows it so, and adapters name it so.
struct ModuleRename {
  Text model_types;  ///< each between spaces
  Text stored;       ///< modules that follow one another, in files; \x01 stands for an index
  Text printed;      ///< of the module; several that are joined in one tensor get one name
};

/// Those of a model type; each is to be applied once, in this order.
std::vector<const ModuleRename*> module_renames(std::string_view model_type);

/// The name with these applied.
std::string renamed(const std::vector<const ModuleRename*>& renames, std::string name);

}  // namespace param_ledger
