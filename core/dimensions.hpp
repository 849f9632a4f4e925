#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace param_ledger {

/// Where the form shows a field.
enum class Group : std::uint8_t { vocabulary, size, attention, feed_forward, experts, state_space, layers, head, other };
std::string_view spelling(Group group);

/// What the form and the formulas say about one config field.
struct Dimension {
  std::string_view name;    ///< as config.json spells it
  std::string_view symbol;  ///< in closed formulas; `_` begins a subscript; empty: not a number of a formula
  Group group;
  std::string_view meaning;  ///< one line
  std::uint16_t step = 1;    ///< by which the form's arrows change a number
  bool headline = false;     ///< a field that a reader looks for first
};

/// All that is known, in the order of the factors in a product.
std::span<const Dimension> dimensions();

/// The entry of a field; one without symbol and meaning, in group `other`, for a field that the table lacks.
const Dimension& dimension(std::string_view name);

/// The place of a field with that entry among the factors of a product: the table's order.
std::uint16_t dimension_order(const Dimension& dimension);

}  // namespace param_ledger
