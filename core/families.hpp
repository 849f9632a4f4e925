#pragma once

#include "core/family.hpp"

// Every family, one line each, alphabetical: the table of contents of families/ and the only place that a new one is added to.
// (No self-registration: linkers drop objects that nothing refers to.)
#define PARAM_LEDGER_FAMILIES(X) \
  X(llama)

namespace param_ledger {

#define PARAM_LEDGER_DECLARE(name) extern const Family name;
PARAM_LEDGER_FAMILIES(PARAM_LEDGER_DECLARE)
#undef PARAM_LEDGER_DECLARE

}  // namespace param_ledger
