#pragma once

#include <optional>

#include "core/support/error.hpp"

namespace param_ledger {

/// Runs `body` and returns the Error that it throws, or none. For trials that an answer survives, such as a variant of a configuration.
/// Every other Error is caught in core/api/report.cpp.
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
