#include "core/config/ignored_fields.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

/// An object with more values than this is listed as a single row, because nobody reads a table of labels line by line.
constexpr std::size_t most_leaves = 32;

/// The number of values in an object, including those of nested objects. Does not look inside an object with more members than
/// `most_leaves`.
std::size_t leaves(Json value) {
  if (!value.is(Json::Type::object) || value.size() == 0) return 1;
  if (value.size() > most_leaves) return value.size();
  std::size_t sum = 0;
  for (const auto& [_, inner] : value.members()) sum += leaves(inner);
  return sum;
}

/// Appends a value with its name or, for an object of at most `most_leaves` values, each of those. `name` is extended during the call and
/// restored.
void add_leaves(std::string& name, Json value, Text reason, std::vector<IgnoredField>& out) {
  if (!value.is(Json::Type::object) || value.size() == 0 || leaves(value) > most_leaves) {
    out.push_back({name, value, reason});
    return;
  }
  const std::size_t length = name.size();
  for (const auto& [key, inner] : value.members()) {
    name.append(".").append(key);
    add_leaves(name, inner, reason, out);
    name.resize(length);
  }
}

bool holds_learned_activation(Json value) {
  if (value.is(Json::Type::string)) return is_learned_activation(value.string());
  if (!value.is(Json::Type::object)) return false;
  for (const auto& [key, inner] : value.members())  // NOLINT(readability-use-anyofallof): members() has only what a loop needs
    if (holds_learned_activation(inner)) return true;
  return false;
}

}  // namespace

std::vector<IgnoredField> ignored_fields(const Configuration& all) {
  std::vector<IgnoredField> out;
  const auto before = [](std::string_view a, std::string_view b) { return compare_keys(a, b) < 0; };
  for (std::size_t i = 0; i < all.sections.size(); ++i) {
    const ConfigReader& section = all.sections[i];
    std::vector<std::string_view> consumed = section.consumed;
    std::sort(consumed.begin(), consumed.end(), before);
    std::string name;
    for (const Json::Member& member : section.json.members()) {
      if (std::binary_search(consumed.begin(), consumed.end(), member.key, before)) continue;
      Text reason;
      for (const Configuration::Reason& r : all.reasons)
        if (r.section == i && r.field == member.key) reason = r.text;
      name.assign(section.path).append(member.key);
      add_leaves(name, member.value, reason, out);
    }
  }
  return out;
}

void refuse_learned_activations(const Configuration& all) {
  if (!holds_learned_activation(all.sections.front().json)) return;
  for (const IgnoredField& field : ignored_fields(all))
    if (field.value.is(Json::Type::string) && is_learned_activation(field.value.string()))
      throw Error{.code = ErrorCode::unsupported,
                  .field = field.name,
                  .message = concat({field.name, " names an activation with learned parameters, which this model type does not count."}),
                  .kind = Refused::learned_activation};
}

void refuse_learned(Config c, Text field, std::string_view activation) {
  if (is_learned_activation(activation))
    c.refuse(ErrorCode::unsupported, field, "names an activation with learned parameters, which this model type does not count.",
             Refused::learned_activation);
}

bool is_learned_activation(std::string_view name) { return name == "prelu" || name == "xielu"; }

}  // namespace param_ledger
