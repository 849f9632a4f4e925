#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json/json.hpp"

// What training programs build their models from: as settings of `generic`, which is built from the same parts. What they count on beside
// it (a vocabulary that only a tokenizer's file says, parts that `generic` lacks) is refused by name.
namespace param_ledger {

/// The model of Megatron's arguments (Megatron-LM, Megatron-DeepSpeed): in a command or a script, whose plain variables are looked up, or
/// as its log lists them. None where the text has none. Throws Error. Source: Megatron-LM, megatron/training/arguments.py and
/// megatron/core/transformer.
std::optional<std::string> config_of_arguments(std::string_view text);

/// The model of a configuration of GPT-NeoX, of whichever keys; none where it is no such. Throws Error.
/// Source: gpt-neox, megatron/neox_arguments/neox_args.py and megatron/model.
std::optional<std::string> config_of_neox(Json root);

}  // namespace param_ledger
