#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/support/text.hpp"

// Configuration values as messages and answers write them.
namespace param_ledger {

/// ["silu","gelu"]
std::string words_text(std::span<const std::string_view> words);
/// [1,-1]
std::string integers_text(std::span<const std::int64_t> integers);
std::string integers_text(std::span<const std::uint64_t> integers);
/// A double as JSON in its shortest exact form: 4, 2.667, 1.3333333333333333.
std::string number_text(double value);

/// A given text for a message: in quotes, clipped, and valid UTF-8 if `text` is.
std::string quoted(std::string_view text);
/// The value and its type for an error message.
std::string described(Json value);
/// ": write 4096" for a value that means an integer: 4096.0, 4.096e3, "4096".
std::string how_to_write(Json value);

}  // namespace param_ledger
