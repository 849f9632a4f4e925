#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace param_ledger {

/// Why a configuration is refused.
enum class ErrorCode : std::uint8_t {
  malformed_json,        ///< not JSON; `line` and `column` say where
  too_large,             ///< text, list or pattern beyond what is read
  too_deep,              ///< nested beyond what is read
  unknown_architecture,  ///< neither model_type nor architectures names a known model; `nearest` says what might be meant
  missing_field,         ///< a field without default is absent
  wrong_type,            ///< a field holds another type of value than it must
  out_of_range,          ///< a number or word that the field cannot take
  not_divisible,         ///< one field must be a multiple of another
  inconsistent,          ///< fields that contradict each other
  overflow,              ///< a count beyond what can be held
  unsupported,           ///< understood, but not counted here
  internal,              ///< a defect of this program
};

/// What is refused on purpose, though transformers builds something: CONTRIBUTING says which configurations each of them is.
enum class Refused : std::uint8_t {
  no,  ///< not on purpose, but for what makes no sense
  learned_activation,
  no_experts,
  no_heads,
  unsaid_experts,
  router_width,
  list_length,
  shared_layers,
  two_spellings,
  per_layer_config,
  attribute_map,
  label_keys,
  listed_layers,
  early_alias,
  unwritable,
};
constexpr std::size_t refused_count = 15;

/// The kind as the answer spells it, e.g. "no_experts".
std::string_view spelling(Refused kind);

/// The code as the answer spells it, e.g. "not_divisible".
std::string_view spelling(ErrorCode code);

/// The one exception of the core: thrown wherever a configuration turns out not to make sense. Caught in core/api/report.cpp, which answers
/// with it, and in core/support/attempt.hpp, for trials that an answer survives.
/// `field` is the config field to look at (empty: the text as a whole), `message` says what would be right.
struct Error {
  ErrorCode code;
  std::string field;
  std::string message;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::vector<std::string> nearest = {};
  Refused kind = Refused::no;
};

}  // namespace param_ledger
