#pragma once

#include <string>
#include <string_view>

namespace param_ledger {

/// Whether any line ends in something other than LF or CRLF: a single CR, which old programs write, or a Unicode separator (NEL, LS, PS),
/// which occurs in text copied from chats and documents.
bool has_other_line_ends(std::string_view text);

/// Whether the text contains terminal escape sequences that begin with "ESC [". These set colours, for example.
bool has_escapes(std::string_view text);

/// Removes terminal escape sequences that begin with "ESC [" from a text.
std::string without_escapes(std::string_view text);

/// Replaces every line end in a text with LF.
std::string with_line_feeds(std::string_view text);

}  // namespace param_ledger
