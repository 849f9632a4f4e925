#pragma once

#include <optional>
#include <string_view>

#include "core/notations/config_text.hpp"

namespace param_ledger {

/// The configuration of the model whose metadata llama.cpp prints while it loads it, without its tensors: what these would say beside it (a
/// tied head, biases) follows from how many there are and from the parameters that it prints, or is refused by name. None where the text is
/// no such log, or lists the tensors. Throws Error.
std::optional<ConfigText> gguf_log_in(std::string_view text);

}  // namespace param_ledger
