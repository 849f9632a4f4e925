#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/config/config.hpp"

namespace param_ledger {

/// A field of a configuration and its new value.
struct Edit {
  std::string path;  ///< the field's name, dotted if nested: "text_config.num_hidden_layers"
  std::string json;
};

/// The configuration's text with these fields changed or added.
std::string edited(Json root, std::span<const Edit> edits);

/// A field's effective value as JSON; empty for a list that is derived from other fields.
std::string value_text(const Field& field);

/// The edit that sets a field that was read, under the name that the configuration uses for it.
Edit edit_of(const Configuration& configuration, const Field& field, std::string json);

/// The edits that give all fields of a field's section their effective values; empty if the configuration has the section. Together with
/// another edit they keep a missing section's defaults, which may differ from those that transformers uses for a section with few fields.
std::vector<Edit> edits_of_missing_section(const Configuration& configuration, const Field& field);

/// The edits that set the number of layers: the field itself, and every list in its section with one entry per layer, which is shortened or
/// extended with copies of its last entry. A list is left alone if the model has fewer than two layers.
std::vector<Edit> edits_of_layers(const Configuration& configuration, const Field& field, std::uint64_t n_layers);

}  // namespace param_ledger
