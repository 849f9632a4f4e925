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

/// The configuration as JSON without whitespace, with these fields changed or added.
std::string edited(Json root, std::span<const Edit> edits);

/// A field's value as JSON: the given value or else the default or derived one. Empty for a list that is derived from other fields.
std::string value_text(const Field& field);

/// The edit that sets a field that was read, under the name that the configuration uses for it.
Edit edit_of(const Configuration& configuration, const Field& field, std::string json);

/// The edits that write out the section of a field if the configuration lacks that section: they give every field that was read there,
/// except derived lists, its default or derived value. Empty otherwise. With them, an edit of one field keeps the defaults of the others,
/// which transformers may choose differently for a missing section than for one with few fields.
std::vector<Edit> edits_of_missing_section(const Configuration& configuration, const Field& field);

/// The edits that set the number of layers: the field itself, and every list in its section that has as many entries as the model has
/// layers. Such a list is shortened or extended with copies of its last entry. If the model has fewer than two layers, lists are left
/// alone.
std::vector<Edit> edits_of_layers(const Configuration& configuration, const Field& field, std::uint64_t n_layers);

}  // namespace param_ledger
