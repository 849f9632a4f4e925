#include "core/nn/nested.hpp"

#include <algorithm>

#include "core/builder/inference.hpp"
#include "core/nn/heads.hpp"
#include "core/registry/registry.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

BackboneOutput nested_as(Config section, Builder& b, Text name, const Family& family, const Architecture& architecture, bool with_head) {
  section.consume("model_type");
  section.consume("architectures");
  BackboneOutput out;
  Config c = section.with(family.aliases);
  b.scope(name, [&] {
    b.as(architecture, [&] {
      b.scope(architecture.backbone, [&] { record_with_cache(c, b, family, [&] { out = family.backbone(c, b); }); });
      if (with_head) (family.head != nullptr ? family.head : decoder_head)(c, b, out);
    });
  });
  return out;
}

}  // namespace

void refuse_named_backbone(Config c) {
  if (is_given(c, "backbone"))
    c.refuse(ErrorCode::unsupported, "backbone", "names a network that transformers would download, so its sizes are not known.");
}

void require_type(Config section, Text type) {
  const Json given = section.peek("model_type");
  if (given.is(Json::Type::string) && given.string() != std::string_view(type))
    section.refuse(ErrorCode::unsupported, "model_type", concat({"is supported here only as \"", type, "\"."}));
}

Config section_or_self(Config c, Text name) { return is_given(c, name) ? c.section(name) : c; }

BackboneOutput nested(Config section, Builder& b, Text name, const Family& family) {
  static constexpr Architecture bare{"", Head::none, ""};
  BackboneOutput out = nested_as(section, b, name, family, bare, false);
  out.language_model_bias = false;  // the outer model records its own head
  return out;
}

BackboneOutput nested_backbone(Config section, Builder& b, Text name, const Family& family) {
  static constexpr Architecture backbone{"", Head::backbone, ""};
  return nested_as(section, b, name, family, backbone, false);
}

BackboneOutput nested_with_head(Config section, Builder& b, Text name, const Family& family, Head head) {
  const std::optional<Architecture> found = class_with(family, head);
  if (!found) section.refuse(ErrorCode::unsupported, "model_type", "is of a model type that has no suitable class.");
  return nested_as(section, b, name, family, *found, true);
}

const Family& family_of_section(Config section, Builder& b, Text fallback) {
  const Json given = section.peek("model_type");
  const bool named = is_given(section, "model_type");
  if (named && !given.is(Json::Type::string)) section.refuse(ErrorCode::wrong_type, "model_type", "must be a string, e.g. \"llama\".");
  const std::string_view type = named ? given.string() : fallback;
  const Family* const family = b.find_family(type);
  if (family == nullptr)
    section.refuse(ErrorCode::unknown_architecture, "model_type",
                   concat({"\"", clipped(type, 100), "\" is not a model that can be counted here."}));
  return *family;
}

BackboneOutput nested_auto(Config section, Builder& b, Text name, Text fallback) {
  const Family& family = family_of_section(section, b, fallback);
  const BackboneOutput out = nested(section, b, name, family);
  // A model has no single hidden size if, for example, it is a speech recogniser instead of an encoder.
  if (!out.hidden)
    section.refuse(ErrorCode::unsupported, "model_type",
                   concat({"\"", family.model_type, "\" has no single hidden size, which this model requires."}));
  return out;
}

BackboneOutput nested_auto_or(Config c, Text section, Builder& b, Text name, Text fallback, const Family& unnamed) {
  Config its = c.section(section);
  return is_given(c, section) ? nested_auto(its, b, name, fallback) : nested(its, b, name, unnamed);
}

BackboneOutput nested_tower(Config section, Builder& b, Tower tower, Text name, std::initializer_list<Text> types) {
  const Json given = section.peek("model_type");
  if (given.is(Json::Type::string) && std::find(types.begin(), types.end(), given.string()) == types.end()) {
    const Text kind = tower == Tower::audio ? "an audio" : "a vision";
    std::string message = concat({"\"", clipped(given.string(), 100), "\" is not ", kind, " model that can be counted here, which are"});
    for (const Text type : types) message += concat({type == *types.begin() ? " " : ", ", type});
    section.refuse(ErrorCode::unknown_architecture, "model_type", message + '.');
  }
  BackboneOutput out;
  b.tower(tower, name, [&] { out = nested_auto(section, b, "", *types.begin()); });
  return out;
}

BackboneOutput nested_backbone_auto(Config section, Builder& b, Text name, Text fallback) {
  const Family& family = family_of_section(section, b, fallback);
  const std::optional<Architecture> found = class_with(family, Head::backbone);
  if (!found) section.refuse(ErrorCode::unsupported, "model_type", "is a model type that is not counted as a backbone.");
  return nested_as(section, b, name, family, *found, false);
}

}  // namespace param_ledger
