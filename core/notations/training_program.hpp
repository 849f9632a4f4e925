#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json/json.hpp"

// Converts the settings of training programs to `generic`, which has the same parts. A setting that needs more (a vocabulary size known
// only to the tokenizer, parts that `generic` lacks) is refused by name.
namespace param_ledger {

/// Converts Megatron's arguments (Megatron-LM, Megatron-DeepSpeed): a command, a script with plain variables, or the list in a log. None if
/// the text has no such arguments. Throws Error. Source: Megatron-LM, megatron/training/arguments.py and megatron/core/transformer.
std::optional<std::string> config_of_arguments(std::string_view text);

/// Converts a GPT-NeoX configuration with either spelling of keys; none if it is not one. Throws Error.
/// Source: gpt-neox, megatron/neox_arguments/neox_args.py and megatron/model.
std::optional<std::string> config_of_neox(Json root);

}  // namespace param_ledger
