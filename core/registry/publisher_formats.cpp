#include "core/registry/publisher_formats.hpp"

#include <algorithm>

#include "core/registry/registry.hpp"

namespace param_ledger {

const Family* publisher_family(Json root) {
  const Json said = root["model_type"];
  const bool silent = !said || said.is_null() || (said.is(Json::Type::string) && said.string().empty());
  const auto word = [&](const Family* f) {
    return said.is(Json::Type::string) && !f->format_keys.word.empty() && f->format_keys.word == said.string();
  };
  if (!silent && std::none_of(families().begin(), families().end(), word)) return nullptr;
  const auto has = [&](Text key) { return static_cast<bool>(root[key]); };
  const Family* otherwise = nullptr;
  for (const Family* family : families()) {
    const FormatKeys& keys = family->format_keys;
    if (!silent && !word(family)) continue;
    if (keys.all.empty() || !std::all_of(keys.all.begin(), keys.all.end(), has)) continue;
    if (std::any_of(keys.one_of.begin(), keys.one_of.end(), has)) return family;
    if (keys.fallback && has_all_families()) otherwise = family;
  }
  return otherwise;
}

ConfigReader* given_section(Config c, Text name) {
  if (is_given(c, name)) return &c.section(name);
  c.consume(name);
  return nullptr;
}

void refuse_unknown_keys(Config c, std::span<const Text> harmless) {
  const auto known = [&](std::string_view key) {
    return c.has_read(key) || std::find(harmless.begin(), harmless.end(), key) != harmless.end();
  };
  for (const auto& [key, value] : c.json.members())
    if (!value.is_null() && !known(key))
      c.refuse(ErrorCode::unsupported, std::string(clipped(key, 100)),
               "is not a known key of this format, and may change the model: remove it if it does not.");
}

}  // namespace param_ledger
