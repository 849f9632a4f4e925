#pragma once

#include "core/devices/division.hpp"

namespace param_ledger {

/// Adds notes on the engine's rules, on uneven shares, and on sizes that the engine cannot run, with sizes that fit.
void note_division(const Division& division, Builder& notes);

}  // namespace param_ledger
