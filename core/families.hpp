#pragma once

#include "core/family.hpp"

namespace param_ledger {

#define X(name) extern const Family name;
#include "core/families.def"
#undef X

}  // namespace param_ledger
