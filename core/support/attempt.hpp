#pragma once

#include <optional>

#include "core/support/error.hpp"

namespace param_ledger {

/// Runs `body` and returns the Error that it throws, if any. Use it for an attempt that may fail without failing the whole answer, such as
/// counting a variant of a configuration. All other Errors are caught in core/api/report.cpp.
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
