#pragma once

#include <optional>
#include <string_view>

#include "core/notations/config_text.hpp"

namespace param_ledger {

/// Finds the configuration in llama.cpp's log of a model that is loaded, without its tensors. A tied head and biases, which only tensors
/// show, are inferred from the number of tensors and the parameters in the log, or the log is refused. None if the text is not such a log,
/// or if it lists the tensors. Throws Error.
std::optional<ConfigText> gguf_log_in(std::string_view text);

}  // namespace param_ledger
