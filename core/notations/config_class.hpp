#pragma once

#include <string_view>

namespace param_ledger {

/// The model type that belongs to a configuration class, e.g. "gpt2" for "GPT2Config"; empty if there is none.
std::string_view config_type(std::string_view class_name);

}  // namespace param_ledger
