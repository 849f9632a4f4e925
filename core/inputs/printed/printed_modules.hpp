#pragma once

#include <vector>

#include "core/inputs/printed/printed_model.hpp"
#include "core/inputs/printed/printed_tree.hpp"

namespace param_ledger {

/// True for a wrapper of a model or of a layer, which holds nothing but what is printed in it.
bool is_wrapper(const std::vector<PrintedModule>& modules, std::size_t module);

/// Makes rows of the modules that say what they hold, as PyTorch and peft define their classes, and places of those that may hold more.
/// Both are of single modules, or of a range as printed: `layers.[0-31].mlp`. Tells `problems` what contradicts itself or can't be read.
void read_printed_modules(const std::vector<PrintedModule>& modules, PrintedModel& out, Problems& problems);

}  // namespace param_ledger
