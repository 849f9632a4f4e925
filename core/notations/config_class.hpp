#pragma once

#include <string_view>

namespace param_ledger {

/// The model type whose configuration has that class, e.g. "gpt2" of "GPT2Config"; empty where there is none.
std::string_view config_type(std::string_view class_name);

}  // namespace param_ledger
