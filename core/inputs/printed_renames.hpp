#pragma once

#include <span>
#include <string>

#include "core/text.hpp"

namespace param_ledger {

/// A module that transformers' `print(model)` shows under another name than files have.
struct PrintedRename {
  Text model_type;
  Text stored;   ///< modules that follow one another, in files
  Text printed;  ///< in print; several that are joined in one tensor get one name
};

/// Those of a model type; each is to be applied once, in this order.
std::span<const PrintedRename> printed_renames(std::string_view model_type);

/// The name with these applied.
std::string renamed(std::span<const PrintedRename> renames, std::string name);

}  // namespace param_ledger
