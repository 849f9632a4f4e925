#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace param_ledger {

/// The section of the page's form that shows a field.
enum class Group : std::uint8_t { vocabulary, size, attention, feed_forward, experts, state_space, layers, head, other };
std::string_view spelling(Group group);

/// A dimension or another option of a configuration, and how the form and formulas present it.
struct Dimension {
  std::string_view spellings;  ///< its names in config.json, separated by spaces
  std::string_view symbol;     ///< the symbol in formulas; `_` begins a subscript; if empty, formulas use the field's name
  Group group;
  std::string_view meaning;  ///< a one-line description
  std::uint16_t step = 1;    ///< the step of the number input in the form
  bool headline = false;     ///< whether it is one of the fields that matter most to readers, such as width, depth and vocabulary size
};

/// All dimensions that this program contains (core/config/dimensions.def), in the order in which formulas write them as factors.
std::span<const Dimension> dimensions();

/// A field's name in config.json and its dimension.
struct Spelling {
  std::string_view field;
  const Dimension* dimension;
};

/// All names of all `dimensions()`, in the order of the dimensions.
std::span<const Spelling> spellings();

/// The dimension of a field. For an unknown field, a placeholder in group `other` without spellings, symbol and meaning.
const Dimension& dimension(std::string_view field);

/// The position of a dimension among the factors of a product: its row in the table; unknown ones come last.
std::uint16_t dimension_order(const Dimension& dimension);

}  // namespace param_ledger
