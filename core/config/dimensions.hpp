#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace param_ledger {

/// The form's section for a field.
enum class Group : std::uint8_t { vocabulary, size, attention, feed_forward, experts, state_space, layers, head, other };
std::string_view spelling(Group group);

/// A dimension or a switch of configurations, as the form and formulas describe it.
struct Dimension {
  std::string_view spellings;  ///< its fields as config.json spells them, separated by spaces
  std::string_view symbol;     ///< in formulas; `_` begins a subscript; empty if no formula uses it
  Group group;
  std::string_view meaning;  ///< one line
  std::uint16_t step = 1;    ///< the form's step for a number
  bool headline = false;     ///< a field that readers look for first
};

/// All dimensions of this program (core/config/dimensions.def), in the order of factors in a product.
std::span<const Dimension> dimensions();

/// A field and its dimension.
struct Spelling {
  std::string_view field;
  const Dimension* dimension;
};

/// The fields of all `dimensions()`, in that order.
std::span<const Spelling> spellings();

/// The dimension of a field. For an unknown field, one in group `other` without spellings, symbol and meaning.
const Dimension& dimension(std::string_view field);

/// The position of a dimension among the factors of a product: its row in the table; unknown ones come last.
std::uint16_t dimension_order(const Dimension& dimension);

}  // namespace param_ledger
