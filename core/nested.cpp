#include "core/nested.hpp"

#include "core/heads.hpp"
#include "core/inference.hpp"
#include "core/registry.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

Backbone nested_as(Config section, Builder& b, Text name, const Family& family, const Architecture& architecture, bool with_head) {
  section.consume("model_type");
  section.consume("architectures");
  Backbone out;
  Config c = section.with(family.aliases);
  b.scope(name, [&] {
    b.as(architecture, [&] {
      b.scope(architecture.backbone, [&] { settling_cache(c, b, family, [&] { out = family.backbone(c, b); }); });
      if (with_head) (family.head != nullptr ? family.head : decoder_head)(c, b, out);
    });
  });
  return out;
}

}  // namespace

Config section_or_self(Config c, Text name) {
  const Json given = c.peek(name);
  return given && !given.is_null() ? c.section(name) : c;
}

Backbone nested(Config section, Builder& b, Text name, const Family& family) {
  static constexpr Architecture bare{"", Head::none, ""};
  return nested_as(section, b, name, family, bare, false);
}

Backbone nested_backbone(Config section, Builder& b, Text name, const Family& family) {
  static constexpr Architecture backbone{"", Head::backbone, ""};
  return nested_as(section, b, name, family, backbone, false);
}

Backbone nested_with_head(Config section, Builder& b, Text name, const Family& family, Head head) {
  const std::optional<Architecture> found = class_with(family, head);
  if (!found) section.refuse(ErrorCode::unsupported, "model_type", "is of a type that has no class for this.");
  return nested_as(section, b, name, family, *found, true);
}

const Family& family_of_section(Config section, Builder& b, Text fallback) {
  const Json given = section.peek("model_type");
  const bool named = given && !given.is_null();
  if (named && !given.is(Json::Type::string)) section.refuse(ErrorCode::wrong_type, "model_type", "must be a string, e.g. \"llama\".");
  const std::string_view type = named ? given.string() : fallback;
  const Family* const family = b.find_family(type);
  if (family == nullptr)
    section.refuse(ErrorCode::unknown_architecture, "model_type",
                   concat({"\"", clipped(type, 100), "\" is not a model that can be counted here."}));
  return *family;
}

Backbone nested_auto(Config section, Builder& b, Text name, Text fallback) {
  return nested(section, b, name, family_of_section(section, b, fallback));
}

Backbone nested_backbone_auto(Config section, Builder& b, Text name, Text fallback) {
  return nested_backbone(section, b, name, family_of_section(section, b, fallback));
}

}  // namespace param_ledger
