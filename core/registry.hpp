#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/family.hpp"

namespace param_ledger {

/// Every model type that can be counted, in alphabetical order.
std::span<const Family* const> families();

/// A family and the class of it that a configuration means.
struct Choice {
  const Family* family;
  const Architecture* architecture;
};

/// The model that `model_type` and the first of `architectures` name; either may be empty, not both.
/// Throws Error{unknown_architecture} with the nearest known names, or Error{inconsistent} where the two do not belong together.
Choice choose(std::string_view model_type, std::string_view architecture);

}  // namespace param_ledger
