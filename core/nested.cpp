#include "core/nested.hpp"

#include "core/inference.hpp"
#include "core/text.hpp"

namespace param_ledger {

Backbone nested(Config section, Builder& b, Text name, const Family& family) {
  static constexpr Architecture bare{"", Head::none, ""};
  section.consume("model_type");
  section.consume("architectures");
  Backbone out;
  Config c = section.with(family.aliases);
  b.scope(name, [&] { b.as(bare, [&] { settling_cache(c, b, family, [&] { out = family.backbone(c, b); }); }); });
  return out;
}

Backbone nested_auto(Config section, Builder& b, Text name, Text fallback) {
  const Json given = section.peek("model_type");
  const bool named = given && !given.is_null();
  if (named && !given.is(Json::Type::string)) section.refuse(ErrorCode::wrong_type, "model_type", "must be a string, e.g. \"llama\".");
  const std::string_view type = named ? given.string() : fallback;
  const Family* const family = b.find_family(type);
  if (family == nullptr)
    section.refuse(ErrorCode::unknown_architecture, "model_type",
                   concat({"\"", clipped(type, 100), "\" is not a model that can be counted here."}));
  return nested(section, b, name, *family);
}

}  // namespace param_ledger
