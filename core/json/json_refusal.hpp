#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace param_ledger {

/// Throws Error{malformed_json} for that byte of the text. Its column is in UTF-16 units, as editors and JavaScript count.
[[noreturn]] void refuse_json(std::string_view text, std::size_t offset, std::initializer_list<std::string_view> message);

/// The same where something is wanted ("a value") and something else stands there, or nothing: with what people do wrong so.
[[noreturn]] void refuse_unexpected(std::string_view text, std::size_t offset, std::string_view wanted);

/// What a message quotes of a text: its first word or string, up to what might be half a character.
std::string excerpt(std::string_view text);

}  // namespace param_ledger
