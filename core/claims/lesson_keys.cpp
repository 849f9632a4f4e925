#include "core/claims/lesson_keys.hpp"

#include <algorithm>

#include "core/json/json_fields.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

void refuse_key(std::string path, std::string message) { throw Error{ErrorCode::wrong_type, std::move(path), std::move(message)}; }

std::string path_of(const std::string& path, std::string_view key) { return path.empty() ? std::string(key) : concat({path, ".", key}); }

std::string path_of(const std::string& path, std::string_view key, std::size_t i) {
  return concat({path_of(path, key), "[", digits(i), "]"});
}

void require_object(Json value, const std::string& path) {
  if (!value.is(Json::Type::object)) refuse_key(path, "This must be an object: { … }.");
}

void require_known(Json object, const std::string& path, std::initializer_list<std::string_view> keys) {
  for (const auto& [key, _] : object.members()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string known;
    for (const std::string_view name : keys) known += concat({known.empty() ? "" : ", ", name});
    refuse_key(path_of(path, clipped(key, 60)), concat({"This key is not known here. The keys are ", known, "."}));
  }
}

std::string_view optional_text(Json object, const std::string& path, std::string_view key) {
  return object[key] ? required_text(object, path, key) : std::string_view();
}

std::string_view required_text(Json object, const std::string& path, std::string_view key) {
  const Json value = object[key];
  if (!value.is(Json::Type::string)) refuse_key(path_of(path, key), "This must be a string.");
  return value.string();
}

Json list_at(Json object, const std::string& path, std::string_view key, std::size_t most) {
  const Json value = object[key];
  if (value && !value.is(Json::Type::list)) refuse_key(path_of(path, key), "This must be a list: [ … ].");
  if (value.size() > most)
    throw Error{ErrorCode::too_large, path_of(path, key), concat({"This list must have at most ", grouped_digits(most), " entries."})};
  return value;
}

Subset subset_at(Json object, const std::string& path) {
  Subset out;
  std::size_t i = 0;
  for (const auto& [_, name] : list_at(object, path, "tensors").members()) {
    if (!name.is(Json::Type::string) || name.string().empty())
      refuse_key(path_of(path, "tensors", i), "This must be a part of a tensor's name.");
    out.names.push_back(name.string());
    ++i;
  }
  out.one_copy = flag_in(object, "each");
  return out;
}

}  // namespace param_ledger
