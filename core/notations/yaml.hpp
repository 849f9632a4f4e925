#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace param_ledger {

/// A mapping of YAML as JSON: nested by indentation, lists, flow collections, scalars as PyYAML reads them, blocks of text. None where the
/// text is none, or has what no configuration needs: anchors, tags, complex keys, several documents.
std::optional<std::string> json_of_yaml(std::string_view text);

}  // namespace param_ledger
