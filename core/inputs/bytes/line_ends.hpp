#pragma once

#include <string>
#include <string_view>

namespace param_ledger {

/// True where a line ends otherwise than in LF or CRLF: in CR alone, as old programs write, or in one of Unicode's separators (NEL, LS,
/// PS), as chats and documents do.
bool has_other_line_ends(std::string_view text);

/// Whether a terminal's escape sequences for colours and the like stand in the text.
bool has_escapes(std::string_view text);

/// The same text without them.
std::string without_escapes(std::string_view text);

/// The same lines, all of which end in LF.
std::string with_line_feeds(std::string_view text);

}  // namespace param_ledger
