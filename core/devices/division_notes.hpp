#pragma once

#include "core/devices/division.hpp"

namespace param_ledger {

/// Notes by what rules a program divides, what does not come out even, and what the program would not run, with the sizes that would.
void note_division(const Division& division, Builder& notes);

}  // namespace param_ledger
