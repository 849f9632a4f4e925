#pragma once

#include <initializer_list>
#include <string_view>

#include "core/builder/family.hpp"

namespace param_ledger {

/// Refuses a `backbone` that is named, because transformers would download its configuration.
void refuse_named_backbone(Config c);

/// Refuses a section with another model_type, if a type has its own defaults for the nested model.
void require_type(Config section, Text type);

/// The section of that name, or the configuration itself if it is missing or null: old files have its fields at the top level.
Config section_or_self(Config c, Text name);

/// Records the bare model that a section describes, under `name`.
BackboneOutput nested(Config section, Builder& b, Text name, const Family& family);

/// Records the bare model of a section that transformers reads by AutoConfig: its model_type gives the family, with `fallback` as the
/// default. Throws Error{unknown_architecture} for a type that cannot be counted.
BackboneOutput nested_auto(Config section, Builder& b, Text name, Text fallback);

/// Records the bare model of the section of that name, read by AutoConfig; a missing section is a model of `unnamed`.
BackboneOutput nested_auto_or(Config c, Text section, Builder& b, Text name, Text fallback, const Family& unnamed);

/// Records the tower that a section describes where transformers uses AutoConfig. Its type must be one of `types`; the first one is the
/// default. `tower` is vision or audio.
BackboneOutput nested_tower(Config section, Builder& b, Tower tower, Text name, std::initializer_list<Text> types);

/// Like `nested` and `nested_auto`, but for the backbone class, as AutoBackbone creates it. The second one refuses a type without such a
/// class.
BackboneOutput nested_backbone(Config section, Builder& b, Text name, const Family& family);
BackboneOutput nested_backbone_auto(Config section, Builder& b, Text name, Text fallback);

/// Records a class with that head, as AutoModelForCausalLM and similar classes create it from a section. Refuses a type without one.
BackboneOutput nested_with_head(Config section, Builder& b, Text name, const Family& family, Head head);

/// The family of a section's model_type, or of `fallback`. Throws Error{unknown_architecture} for a type that cannot be counted.
const Family& family_of_section(Config section, Builder& b, Text fallback);

}  // namespace param_ledger
