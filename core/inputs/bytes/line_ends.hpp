#pragma once

#include <string>
#include <string_view>

namespace param_ledger {

/// Whether a line ends in something other than LF or CRLF: a single CR, as written by old programs, or one of Unicode's separators (NEL,
/// LS, PS), which come from chats and documents.
bool has_other_line_ends(std::string_view text);

/// Whether the text contains terminal escape sequences, which set colours, for example.
bool has_escapes(std::string_view text);

/// Removes terminal escape sequences from a text.
std::string without_escapes(std::string_view text);

/// Replaces every line end with LF.
std::string with_line_feeds(std::string_view text);

}  // namespace param_ledger
