#pragma once

#include <initializer_list>
#include <string_view>

#include "core/builder/family.hpp"

namespace param_ledger {

/// Refuses a `backbone` by name, whose configuration transformers would fetch.
void refuse_fetched(Config c);

/// Refuses a section that names another model_type, where a type has defaults of its own for the model inside it.
void require_type(Config section, Text type);

/// The section of that name; the configuration itself where it is missing or null: old files hold its fields beside the sections.
Config section_or_self(Config c, Text name);

/// Records the bare model that a section of the configuration describes, under `name`.
BackboneOutput nested(Config section, Builder& b, Text name, const Family& family);

/// The same where transformers asks AutoConfig: the family is that of the section's model_type, `fallback` where it says none.
/// Throws Error{unknown_architecture} for a type that cannot be counted.
BackboneOutput nested_auto(Config section, Builder& b, Text name, Text fallback);

/// The same for the section of that name, which is a model of `unnamed` where it is not given.
BackboneOutput nested_auto_or(Config c, Text section, Builder& b, Text name, Text fallback, const Family& unnamed);

/// Records the tower that a section describes where transformers asks AutoConfig: one of these types, the first where it says none.
/// Refuses others. `part` is vision or audio.
BackboneOutput nested_tower(Config section, Builder& b, Tower tower, Text name, std::initializer_list<Text> types);

/// Records as `nested` and `nested_auto` do, but the backbone class: what AutoBackbone makes of a section. The second refuses a type
/// that has no such class.
BackboneOutput nested_backbone(Config section, Builder& b, Text name, const Family& family);
BackboneOutput nested_backbone_auto(Config section, Builder& b, Text name, Text fallback);

/// Records the class of that head, with the head, as AutoModelForCausalLM and its like make it of a section. Refuses a type that has none.
BackboneOutput nested_with_head(Config section, Builder& b, Text name, const Family& family, Head head);

/// The family that a section's model_type names, `fallback` where it says none. Throws Error{unknown_architecture} for a type that
/// cannot be counted.
const Family& family_of_section(Config section, Builder& b, Text fallback);

}  // namespace param_ledger
