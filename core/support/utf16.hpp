#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace param_ledger {

/// Converts UTF-16 with a byte order mark to UTF-8. Windows PowerShell's redirection `>` writes this encoding. Returns nothing if the bytes
/// are anything else or contain a NUL character.
std::optional<std::string> from_utf16(std::string_view bytes);

/// Appends a code point as UTF-8. An invalid code point becomes U+FFFD.
void put_utf8(std::string& out, std::uint32_t code);

}  // namespace param_ledger
