#pragma once

#include <string>
#include <string_view>

namespace param_ledger {

/// Whether a line ends in something other than LF or CRLF: a single CR, as in old programs, or one of Unicode's separators (NEL, LS, PS),
/// as in chats and documents.
bool has_other_line_ends(std::string_view text);

/// Whether the text contains terminal escape sequences, for colours and the like.
bool has_escapes(std::string_view text);

/// The text without them.
std::string without_escapes(std::string_view text);

/// The text with LF line ends only.
std::string with_line_feeds(std::string_view text);

}  // namespace param_ledger
