#pragma once

#include <optional>

#include "core/support/error.hpp"

namespace param_ledger {

/// Runs `body` and returns the Error that it throws, if any. Use it where an Error does not fail the whole answer, such as for counting a
/// variant of a configuration, or where it is amended and thrown again. All other Errors are caught in core/api/report.cpp.
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
