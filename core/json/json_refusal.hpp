#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace param_ledger {

/// Throws Error{malformed_json} with the line and the column of the byte at `offset`. The column counts UTF-16 code units, as positions in
/// JavaScript strings do.
[[noreturn]] void refuse_json(std::string_view text, std::size_t offset, std::initializer_list<std::string_view> message);

/// Throws Error{malformed_json} with a message that `wanted` (such as "a value") was expected at `offset`, and a hint if a common mistake
/// is recognised.
[[noreturn]] void refuse_unexpected(std::string_view text, std::size_t offset, std::string_view wanted);

/// The first word or string of a text, in single quotes. It is cut after 60 characters and before the first character that is not printable
/// ASCII. Returns "something else", without quotes, if no character is left.
std::string excerpt(std::string_view text);

}  // namespace param_ledger
