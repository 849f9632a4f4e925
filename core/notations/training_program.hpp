#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json/json.hpp"

// Converts the settings of training programs to configurations of the model type `generic`. Refuses, by name, the known settings that
// `generic` cannot express because they add tensors that `generic` lacks. Also refuses a vocabulary size that depends on the tokenizer.
namespace param_ledger {

/// Converts Megatron's arguments (Megatron-LM, Megatron-DeepSpeed): a command, a script with simple variables, or the list in a log. None
/// if the text has no such arguments. Throws Error if they cannot be converted. Source: Megatron-LM, megatron/training/arguments.py and
/// megatron/core/transformer.
std::optional<std::string> config_of_arguments(std::string_view text);

/// Converts a GPT-NeoX configuration, with hyphens or underscores in its keys. None if the object is not one. Throws Error if it cannot be
/// converted. Source: gpt-neox, megatron/neox_arguments/neox_args.py and megatron/model.
std::optional<std::string> config_of_neox(Json root);

}  // namespace param_ledger
