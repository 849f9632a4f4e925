#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace param_ledger {

/// Where the form shows a field.
enum class Group : std::uint8_t { vocabulary, size, attention, feed_forward, experts, state_space, layers, head, other };
std::string_view spelling(Group group);

/// What the form and the formulas say about one dimension of configurations, or one switch.
struct Dimension {
  std::string_view spellings;  ///< the fields that give it, as config.json spells them, a space between two
  std::string_view symbol;     ///< in closed formulas; `_` begins a subscript; empty: not a number of a formula
  Group group;
  std::string_view meaning;  ///< one line
  std::uint16_t step = 1;    ///< by which the form's arrows change a number
  bool headline = false;     ///< a field that a reader looks for first
};

/// All that this program knows (core/config/dimensions.def), in the order of the factors in a product.
std::span<const Dimension> dimensions();

/// A field and the dimension that it gives.
struct Spelling {
  std::string_view field;
  const Dimension* dimension;
};

/// All fields that `dimensions()` spells, in its order.
std::span<const Spelling> spellings();

/// What a field gives; for a field that is in no row one without spellings, symbol and meaning, in group `other`.
const Dimension& dimension(std::string_view field);

/// The place of a dimension among the factors of a product: the table's order, and behind it what the table lacks.
std::uint16_t dimension_order(const Dimension& dimension);

}  // namespace param_ledger
