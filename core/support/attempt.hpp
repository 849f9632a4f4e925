#pragma once

#include <optional>

#include "core/support/error.hpp"

namespace param_ledger {

/// Runs `body`, which may be refused: the Error that it throws, or none. For trials that an answer survives, such as a variant of a
/// configuration; every other Error is caught by core/api/report.cpp alone.
template <class Body>
std::optional<Error> attempt(const Body& body) {
  try {
    body();
  } catch (const Error& e) {
    return e;
  }
  return std::nullopt;
}

}  // namespace param_ledger
