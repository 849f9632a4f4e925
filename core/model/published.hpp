#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/family.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// Records what the published files of a model of that family hold beside it, once all of it is recorded: a head that is tied,
/// layers that predict further tokens, scales of quantised matrices. What the configuration says is Kind::published, what
/// only some files hold Kind::possible. Notes what it cannot tell.
void record_published(Config c, Builder& b, const Family& family);

}  // namespace param_ledger
