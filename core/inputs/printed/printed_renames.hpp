#pragma once

#include <string>
#include <vector>

#include "core/support/text.hpp"

namespace param_ledger {

/// A module that transformers' `print(model)` shows under another name than files have.
struct PrintedRename {
  Text model_types;  ///< each between spaces
  Text stored;       ///< modules that follow one another, in files; a mark stands for an index
  Text printed;      ///< in print; several that are joined in one tensor get one name
};

/// Those of a model type; each is to be applied once, in this order.
std::vector<const PrintedRename*> printed_renames(std::string_view model_type);

/// The name with these applied.
std::string renamed(const std::vector<const PrintedRename*>& renames, std::string name);

}  // namespace param_ledger
