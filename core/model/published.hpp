#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/family.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// Records the tensors that published files contain in addition to the model: a copy of a tied head, prediction layers, scales of quantized
/// matrices. Call it after the whole model is recorded. Rows that follow from the configuration are Kind::published, and rows that only
/// some files contain are Kind::possible. Adds notes on anything that is not known.
void record_published(Config c, Builder& b, const Family& family);

}  // namespace param_ledger
