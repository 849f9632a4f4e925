#pragma once

#include <cstdint>
#include <string_view>

namespace param_ledger {

/// What the form and the formulas say about one config field.
struct Dimension {
  std::string_view name;     ///< as config.json spells it
  std::string_view symbol;   ///< in closed formulas; `_` begins a subscript; empty: not a number of a formula
  std::string_view group;    ///< where the form shows it, see `FieldRow.group` in web/types.d.ts
  std::string_view meaning;  ///< one line
};

/// The entry of a field; one without symbol and meaning, in group "other", for a field that the table lacks.
const Dimension& dimension(std::string_view name);

/// The place of a field among the factors of a product: the table's order.
std::uint16_t dimension_order(std::string_view name);

}  // namespace param_ledger
