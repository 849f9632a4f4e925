#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/support/text.hpp"

// Formats configuration values and other texts for messages and answers.
namespace param_ledger {

/// Writes a list of words: ["silu","gelu"].
std::string words_text(std::span<const std::string_view> words);
/// Writes a list of integers: [1,-1].
std::string integers_text(std::span<const std::int64_t> integers);
std::string integers_text(std::span<const std::uint64_t> integers);
/// Writes a non-negative double with at most six decimals: 4, 2.667, 1.333333.
std::string number_text(double value);

/// Quotes a text for a message, clipped to 80 bytes. The result is valid UTF-8 if `text` is.
std::string quoted(std::string_view text);
/// Describes a value for an error message: its text, clipped, and the type of a string, list or object.
std::string described(Json value);
/// The advice ". Write 4096" for a whole number up to 10^15 that is not written as an integer, such as 4096.0 or 4.096e3, and for a string
/// of at most 18 digits, such as "4096". Empty for other values.
std::string how_to_write(Json value);

}  // namespace param_ledger
