#include "core/notations/config_class.hpp"

#include "core/registry/registry.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

std::string_view config_type(std::string_view class_name) {
  constexpr std::string_view ending = "Config";
  if (!class_name.ends_with(ending)) return {};
  const std::string wanted = folded(class_name.substr(0, class_name.size() - ending.size()));
  if (wanted.empty()) return {};
  const auto named = [&](const std::string& name) {
    std::string_view found;
    for (const Family* family : families())
      if (folded(family->model_type) == name) found = family->model_type;
    return found;
  };
  const std::string_view own = named(wanted);
  // The type of a tower that is loaded on its own: clip_vision_model for CLIPVisionConfig.
  return !own.empty() ? own : named(concat({wanted, "model"}));
}

}  // namespace param_ledger
