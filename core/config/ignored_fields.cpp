#include "core/config/ignored_fields.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

/// A larger object is one row: nobody reads a label table line by line.
constexpr std::size_t most_leaves = 32;

/// The values in an object, including nested ones. Stops counting above the limit.
std::size_t leaves(Json value) {
  if (!value.is(Json::Type::object) || value.size() == 0) return 1;
  if (value.size() > most_leaves) return value.size();
  std::size_t sum = 0;
  for (const auto& [_, inner] : value.members()) sum += leaves(inner);
  return sum;
}

/// Calls `visit` with a value and its name, or with each value in an object. `name` is extended during the call and restored.
template <class Visit>
void each_leaf(std::string& name, Json value, const Visit& visit) {
  if (!value.is(Json::Type::object) || value.size() == 0 || leaves(value) > most_leaves) return visit(name, value);
  const std::size_t length = name.size();
  for (const auto& [key, inner] : value.members()) {
    name.append(".").append(key);
    each_leaf(name, inner, visit);
    name.resize(length);
  }
}

/// Calls `visit` with each value of a section that was never read, and its name.
template <class Visit>
void each_unread(const ConfigReader& section, const Visit& visit) {
  std::vector<std::string_view> consumed = section.consumed;
  const auto before = [](std::string_view a, std::string_view b) { return compare_keys(a, b) < 0; };
  std::sort(consumed.begin(), consumed.end(), before);
  std::string name;
  for (const Json::Member& member : section.json.members()) {
    if (std::binary_search(consumed.begin(), consumed.end(), member.key, before)) continue;
    name.assign(section.path).append(member.key);
    each_leaf(name, member.value, [&](const std::string& leaf, Json inner) { visit(member.key, leaf, inner); });
  }
}

}  // namespace

std::vector<IgnoredField> ignored_fields(const Configuration& all, std::size_t most, std::size_t& left_out) {
  std::vector<IgnoredField> out;
  left_out = 0;
  for (std::size_t i = 0; i < all.sections.size(); ++i)
    each_unread(all.sections[i], [&](std::string_view key, const std::string& name, Json value) {
      if (out.size() == most) {
        ++left_out;
        return;
      }
      Text reason;
      for (const Configuration::Reason& r : all.reasons)
        if (r.section == i && r.field == key) reason = r.text;
      out.push_back({name, value, reason});
    });
  return out;
}

void refuse_learned_activations(const Configuration& all) {
  for (const ConfigReader& section : all.sections)
    each_unread(section, [](std::string_view, const std::string& name, Json value) {
      if (value.is(Json::Type::string) && is_learned_activation(value.string()))
        throw Error{.code = ErrorCode::unsupported,
                    .field = name,
                    .message = concat({name, " names an activation with learned parameters, which this model type does not count."}),
                    .kind = Refused::learned_activation};
    });
}

void refuse_learned(Config c, Text field, std::string_view activation) {
  if (is_learned_activation(activation))
    c.refuse(ErrorCode::unsupported, field, "names an activation with learned parameters, which this model type does not count.",
             Refused::learned_activation);
}

bool is_learned_activation(std::string_view name) { return name == "prelu" || name == "xielu"; }

}  // namespace param_ledger
