#pragma once

#include <string_view>

#include "core/json/json.hpp"
#include "core/json/json_writer.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

// Reads numbers from requests about memory, operations and devices, and writes numbers of bytes to the answers.

constexpr Count most_tokens = Count{1} << 53U;

/// A count in the request, given as a number or a string of digits; `fallback` if it is missing or null. Throws Error{out_of_range} for
/// anything other than a whole number from `least` to `most`.
Count asked(Json request, Text field, Count fallback, Count least, Count most);

/// The number type of the cache and its size in bytes. `cache_numbers` reads it from the request's `cache`, and throws Error{out_of_range}
/// unless it has 8 to 32 bits.
struct CacheNumbers {
  std::string_view name;
  Count bytes;
};
CacheNumbers cache_numbers(Json request);

/// `number` divided by `unit`, as a decimal. It has one decimal place, or as many as three significant digits need, but at most six:
/// "688.6", "0.0123".
std::string in_units(Count number, Count unit);
/// Writes {"bytes": "15000000000", "gb": "15.0", "gib": "14.0"} under the key `name`.
void write_bytes(JsonWriter& json, std::string_view name, Count value);

}  // namespace param_ledger
