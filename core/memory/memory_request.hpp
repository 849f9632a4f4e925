#pragma once

#include <string_view>

#include "core/json/json.hpp"
#include "core/json/json_writer.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

// What questions about bytes share: what they may ask, and how bytes are written.

constexpr Count most_tokens = Count{1} << 53U;

/// A count of the request, as a number or as digits; `fallback` where missing. Throws Error{out_of_range} beyond the limits.
Count asked(Json request, Text field, Count fallback, Count least, Count most);

/// Bytes of a number in the cache, by the request's `cache`. Throws Error{out_of_range} for what is no type of numbers of 8 to 32 bits.
struct CacheNumbers {
  std::string_view name;
  Count bytes;
};
CacheNumbers cache_numbers(Json request);

/// {"bytes": "15000000000", "gb": "15.0", "gib": "13.97"} under that key.
void write_bytes(JsonWriter& json, std::string_view name, Count value);

}  // namespace param_ledger
