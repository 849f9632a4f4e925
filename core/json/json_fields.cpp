#include "core/json/json_fields.hpp"

namespace param_ledger {

std::string_view word_in(Json object, std::string_view field, std::string_view fallback) {
  const Json given = object[field];
  return given.is(Json::Type::string) ? given.string() : fallback;
}

Count number_in(Json object, std::string_view field, Count fallback) {
  const Json given = object[field];
  return given.is(Json::Type::integer) && !given.negative() ? given.magnitude() : fallback;
}

bool flag_in(Json object, std::string_view field) { return is_true(object[field]); }

}  // namespace param_ledger
