#pragma once

#include <cstdint>
#include <string_view>

namespace param_ledger {

/// What a stated number counts.
enum class Unit : std::uint8_t { parameters, bytes, operations, percent };

constexpr std::string_view spelling(Unit unit) {
  constexpr std::string_view names[] = {"parameters", "bytes", "operations", "percent"};
  return names[static_cast<std::size_t>(unit)];
}

}  // namespace param_ledger
