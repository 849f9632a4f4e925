#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace param_ledger {

/// What a config.json's text holds, in its own order.
using Json = nlohmann::ordered_json;

/// Texts beyond these limits are refused before anything is built from them.
constexpr std::size_t largest_text = std::size_t{10} << 20U;
constexpr std::size_t deepest_nesting = 64;

/// Reads JSON as Python's json module does: `NaN`, `Infinity` and `-Infinity` are values, the last of two equal keys counts.
/// Appends to `repeated_keys` the keys that stand twice in one object. Throws Error{malformed_json} with line and column,
/// Error{too_large} or Error{too_deep}.
Json parse_json(std::string_view text, std::vector<std::string>& repeated_keys);

}  // namespace param_ledger
