#pragma once

#include <initializer_list>
#include <string_view>

#include "core/builder/family.hpp"

namespace param_ledger {

/// Throws if the field `backbone` names a network, because transformers would download that network's configuration.
void refuse_named_backbone(Config c);

/// Throws if the section names a model_type other than `type`, the only one that is supported for this section.
void require_type(Config section, Text type);

/// The section `name`, or `c` itself if the section is missing or null, because some files have the section's fields at the top level.
Config section_or_self(Config c, Text name);

/// Records under `name` the bare model of `family` whose configuration is the section.
BackboneOutput nested(Config section, Builder& b, Text name, const Family& family);

/// Like `nested`, for a section that transformers loads through AutoConfig: the section's model_type, by default `fallback`, determines the
/// family. Throws for a model type that cannot be counted or whose output has no single width.
BackboneOutput nested_auto(Config section, Builder& b, Text name, Text fallback);

/// Like `nested_auto`, for the section of `c` called `section`. If it is missing or null, records a model of the family `unnamed`.
BackboneOutput nested_auto_or(Config c, Text section, Builder& b, Text name, Text fallback, const Family& unnamed);

/// Records the tower for a section that transformers loads through AutoConfig. The section's model_type must be one of `types`; the default
/// is the first. `tower` is vision or audio.
BackboneOutput nested_tower(Config section, Builder& b, Tower tower, Text name, std::initializer_list<Text> types);

/// Like `nested` and `nested_auto`, but record the backbone class, as AutoBackbone creates it. The second function throws for a model type
/// without a backbone class.
BackboneOutput nested_backbone(Config section, Builder& b, Text name, const Family& family);
BackboneOutput nested_backbone_auto(Config section, Builder& b, Text name, Text fallback);

/// Records the class of `family` that has this head: the backbone and the head. Throws if the family has no such class.
BackboneOutput nested_with_head(Config section, Builder& b, Text name, const Family& family, Head head);

/// The family of a section's model_type, or of `fallback` if the section gives none. Throws Error{unknown_architecture} for a model type
/// that cannot be counted, and Error{wrong_type} if model_type is not a string.
const Family& family_of_section(Config section, Builder& b, Text fallback);

}  // namespace param_ledger
