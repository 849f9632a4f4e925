#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace param_ledger {

/// A configuration that was converted to JSON, or a list of tensors that was converted to lines.
struct ConfigText {
  std::string json;  ///< a JSON object, with one member per line unless the notation is "log"; for the notation "lines", text with one
                     ///< tensor per line
  std::string_view notation;  ///< the original notation, "python", "yaml", "arguments" or "log"; "lines" for a list of tensors
};

/// Finds the configuration of a model in a notation other than JSON, possibly with other text around it: Python's output (`LlamaConfig { …
/// }`), Python code (`LlamaConfig(hidden_size=64)`, `GPT_CONFIG = { … }`, the fields of a dataclass), JSON with comments, or YAML. None if
/// no configuration names its model type or class or has a publisher's own format, unless the whole text is a single object. Throws Error
/// if the text computes a value instead of giving it, changes the configuration afterwards, or has several configurations as Python objects
/// or calls. Of several dataclasses, the first is used.
std::optional<ConfigText> config_in(std::string_view given);

/// Converts Megatron's arguments or a GPT-NeoX configuration to a configuration of the model type `generic`. None if the text is neither.
/// Throws Error if the model is not supported or not fully specified.
std::optional<ConfigText> training_in(std::string_view text);

}  // namespace param_ledger
