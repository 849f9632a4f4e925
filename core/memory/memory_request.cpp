#include "core/memory/memory_request.hpp"

#include <optional>

#include "core/json/json_fields.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

std::string in_units(Count number, Count unit) {
  unsigned behind = 1;
  for (Count least = unit; behind < 6 && number < 10 * least; least /= 10) ++behind;
  Count scale = 1;
  for (unsigned i = 0; i < behind; ++i) scale *= 10;
  const Count tenths = (number * scale + unit / 2) / unit;
  std::string rest = digits(tenths % scale);
  return concat({english_digits(tenths / scale), ".", std::string(behind - rest.size(), '0'), rest});
}

Count asked(Json request, Text field, Count fallback, Count least, Count most) {
  const Json given = request[field];
  if (!given || given.is_null()) return fallback;
  std::optional<Count> out;
  if (given.is(Json::Type::integer) && !given.negative()) out = given.magnitude();
  if (given.is(Json::Type::string)) {
    std::string_view text = given.string();
    out = parse_integer<Count>(text);
    if (!text.empty()) out = std::nullopt;
  }
  if (!out || *out < least || *out > most)
    throw Error{ErrorCode::out_of_range, std::string(field),
                concat({field, " must be a whole number from ", grouped_digits(least), " to ", grouped_digits(most), "."})};
  return *out;
}

CacheNumbers cache_numbers(Json request) {
  const NumberType type = number_type(word_in(request, "cache", "bfloat16"));
  if (type.bits < 8 || type.bits > 32)
    throw Error{ErrorCode::out_of_range, "cache", "cache must be a data type: float32, bfloat16, float16 or float8."};
  return {type.name, type.bits / 8};
}

void write_bytes(JsonWriter& json, std::string_view name, Count value) {
  json.key(name).open_object();
  json.digits_member("bytes", value);
  json.plain_member("gb", in_units(value, 1'000'000'000));
  json.plain_member("gib", in_units(value, Count{1} << 30U));
  json.close_object();
}

}  // namespace param_ledger
