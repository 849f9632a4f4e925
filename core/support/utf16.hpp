#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace param_ledger {

/// The text of bytes in UTF-16 that say so by a mark at their begin, as Windows' shells write; none where they are no such text.
std::optional<std::string> from_utf16(std::string_view bytes);

/// Appends a character of Unicode in UTF-8; what is none becomes U+FFFD.
void put_utf8(std::string& out, std::uint32_t code);

}  // namespace param_ledger
