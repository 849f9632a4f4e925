#pragma once

#include <vector>

#include "core/inputs/printed/printed_model.hpp"
#include "core/inputs/printed/printed_tree.hpp"

namespace param_ledger {

/// Whether a module is known to have no parameters except those of its submodules: a wrapper of a model, or a class of peft or
/// sentence-transformers.
bool is_wrapper(const std::vector<PrintedModule>& modules, std::size_t module);

/// Adds rows for the parameters and buffers that follow from the printed classes and arguments, and places for modules that may have more
/// parameters. Each row or place belongs to a single module, or to a printed range of modules: `layers.[0-31].mlp`. Reports contradictions,
/// unreadable arguments and missing modules to `problems`.
void read_printed_modules(const std::vector<PrintedModule>& modules, PrintedModel& out, Problems& problems);

}  // namespace param_ledger
