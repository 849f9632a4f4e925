#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace param_ledger {

/// A text in lower-case ASCII where people use other characters, with the origin of each byte.
struct PlainText {
  std::string text;
  std::vector<std::size_t> from;  ///< the position in the original of each byte, and of the end
};

/// Replaces typeset characters ("×", "⁹", "–"), Markdown's bold marks and capital letters by what people type. "10⁹" becomes "10^9".
PlainText plain_text(std::string_view written);

/// Writes each cell of a Markdown table with its header and the label of its row, one on a line. Other lines stay as they are.
std::string without_tables(std::string_view written);

}  // namespace param_ledger
