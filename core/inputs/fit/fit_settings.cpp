#include "core/inputs/fit/fit_settings.hpp"

#include <algorithm>

#include "core/json/json_writer.hpp"
#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Writes the fields of a section, including nested sections.
void write_members(JsonWriter& json, const std::vector<Edit>& settings, std::string_view section) {
  std::vector<std::string_view> written;
  for (const Edit& s : settings) {
    std::string_view name = s.path;
    if (!name.starts_with(section)) continue;
    name.remove_prefix(section.size());
    const std::size_t dot = name.find('.');
    const std::string_view key = name.substr(0, dot);
    if (std::find(written.begin(), written.end(), key) != written.end()) continue;
    written.push_back(key);
    json.text_key(key);
    if (dot == std::string_view::npos) {
      json.raw(s.json);
      continue;
    }
    json.open_object();
    write_members(json, settings, concat({section, key, "."}));
    json.close_object();
  }
}

}  // namespace

void Settings::set(std::string_view field, std::string value) {
  const auto found = std::find_if(list_.begin(), list_.end(), [&](const Edit& s) { return s.path == field; });
  if (found != list_.end())
    found->json = std::move(value);
  else
    list_.push_back({std::string(field), std::move(value)});
}

void Settings::add(const Settings& others) {
  for (const Edit& s : others.list_)
    if (!has(s.path)) list_.push_back(s);
}

bool Settings::has(std::string_view field) const {
  return std::any_of(list_.begin(), list_.end(), [&](const Edit& s) { return s.path == field; });
}

std::string Settings::text(std::string_view model_type, std::string_view architecture) const {
  JsonWriter json;
  json.open_object();
  json.member("model_type", model_type);
  json.key("architectures").open_array();
  json.string(architecture);
  json.close_array();
  write_members(json, list_, "");
  json.close_object();
  return json.take();
}

bool operator==(const Settings& a, const Settings& b) {
  return std::equal(a.list_.begin(), a.list_.end(), b.list_.begin(), b.list_.end(),
                    [](const Edit& x, const Edit& y) { return x.path == y.path && x.json == y.json; });
}

}  // namespace param_ledger
