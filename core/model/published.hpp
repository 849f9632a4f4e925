#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/family.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// Records what published files contain besides the model, after the whole model is recorded: a copy of a tied head, prediction layers,
/// scales of quantized matrices. What follows from the configuration is Kind::published; what only some files contain is Kind::possible.
/// Adds notes on what is not known.
void record_published(Config c, Builder& b, const Family& family);

}  // namespace param_ledger
