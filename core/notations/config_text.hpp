#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace param_ledger {

/// A configuration that was not written as JSON, or that says by its form what it is.
struct ConfigText {
  std::string json;           ///< an object, its members on lines of their own
  std::string_view notation;  ///< "python", "yaml", "arguments", "log"
};

/// The configuration of a model that a text holds in another notation than JSON, with text around it: what Python prints of one
/// (`LlamaConfig { … }`), what people write (`LlamaConfig(hidden_size=64)`, `GPT_CONFIG = { … }`, the fields of a dataclass), JSON with
/// comments, YAML. None where it holds none whose kind of model is said. Throws Error where it holds one and leaves something of it unsaid,
/// or several.
std::optional<ConfigText> config_in(std::string_view given);

/// The model that arguments of Megatron or a configuration of GPT-NeoX describe, as one of `generic`. None where the text is none of these.
/// Throws Error where it is one that is not counted here, or leaves something of it unsaid.
std::optional<ConfigText> training_in(std::string_view text);

}  // namespace param_ledger
