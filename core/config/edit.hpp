#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/config/config.hpp"

namespace param_ledger {

/// A field of a configuration and what it is to hold instead.
struct Edit {
  std::string path;  ///< dotted where nested: "text_config.num_hidden_layers"
  std::string json;
};

/// The configuration's text with these fields changed, added where they are missing.
std::string edited(Json root, std::span<const Edit> edits);

/// The value of a field that counts, as JSON text; empty: derived and too long to write out.
std::string value_text(const Field& field);

/// The edit of a field that was read, under the name by which the configuration gives it.
Edit edit_of(const Configuration& configuration, const Field& field, std::string json);

/// Another number of layers: the field, and the lists with an entry for each layer, shortened or continued with their last entry.
std::vector<Edit> edits_of_layers(const Configuration& configuration, const Field& field, std::uint64_t n_layers);

}  // namespace param_ledger
