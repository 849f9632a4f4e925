#include "core/registry/publisher_formats.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/registry/registry.hpp"

namespace param_ledger {

namespace {

/// The families whose configurations are recognised by their keys instead of a model_type.
const std::vector<const Family*>& formats() {
  static const std::vector<const Family*> all = [] {
    std::vector<const Family*> out;
    std::copy_if(families().begin(), families().end(), std::back_inserter(out),
                 [](const Family* family) { return !family->format_keys.all.empty(); });
    return out;
  }();
  return all;
}

}  // namespace

const Family* publisher_family(Json root) {
  const Json said = root["model_type"];
  const bool silent = !said || said.is_null() || (said.is(Json::Type::string) && said.string().empty());
  const auto has = [&](Text key) { return static_cast<bool>(root[key]); };
  const Family* otherwise = nullptr;
  for (const Family* family : formats()) {
    const FormatKeys& keys = family->format_keys;
    const bool word = said.is(Json::Type::string) && !keys.word.empty() && keys.word == said.string();
    if ((!silent && !word) || !std::all_of(keys.all.begin(), keys.all.end(), has)) continue;
    if (std::any_of(keys.one_of.begin(), keys.one_of.end(), has)) return family;
    if (keys.fallback) otherwise = family;
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
               "is not a known key of this format, and may change the model. Remove it if it does not.");
}

}  // namespace param_ledger
