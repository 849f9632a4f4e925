#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace param_ledger {

/// A text in lower case, with typeset characters replaced by ASCII, and the origin of each byte.
struct PlainText {
  std::string text;
  std::vector<std::size_t> from;  ///< for each byte and for the end: its position in the original text
};

/// Replaces typeset characters ("×", "⁹", "–") by ASCII and Markdown's bold marks by spaces, and converts the text to lower case. "10⁹"
/// becomes "10^9".
PlainText plain_text(std::string_view written);

/// Replaces a Markdown table by one line for each cell that contains a digit. The cell's row label and column header precede it, unless
/// they contain digits themselves. Other lines lose only the blanks at their ends.
std::string without_tables(std::string_view written);

}  // namespace param_ledger
