#pragma once

#include <optional>
#include <string_view>

#include "core/notations/config_text.hpp"

namespace param_ledger {

/// Finds the configuration of a model from the log that llama.cpp prints while loading it. The log does not list tensors, so whether the
/// head is tied and which biases exist is inferred from the logged numbers of tensors and parameters. Throws Error if the log does not
/// determine the configuration, or its architecture is unknown. None if the text is not such a log, names no architecture, or lists the
/// tensors.
std::optional<ConfigText> gguf_log_in(std::string_view text);

}  // namespace param_ledger
