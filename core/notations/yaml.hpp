#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace param_ledger {

/// Converts a YAML mapping to JSON: nested blocks, lists, flow collections, block text, and scalars, including YAML 1.1's booleans `yes`,
/// `no`, `on` and `off`. None if the text is not a mapping, or uses features that configurations do not need, such as anchors, tags,
/// complex keys or several documents.
std::optional<std::string> json_of_yaml(std::string_view text);

}  // namespace param_ledger
