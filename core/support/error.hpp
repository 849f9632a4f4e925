#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace param_ledger {

/// The reason why a configuration or a request is rejected.
enum class ErrorCode : std::uint8_t {
  malformed_json,        ///< the text is not JSON (`line` and `column` give the position), or a file is damaged or incomplete
  too_large,             ///< a text, list or number of items exceeds one of this program's limits, or memory is exhausted
  too_deep,              ///< objects, lists, brackets or modules are nested more deeply than this program allows
  unknown_architecture,  ///< model_type or architectures is unknown, or they do not belong together; `nearest` may hold suggestions
  missing_field,         ///< a required field or value is missing
  wrong_type,            ///< a value has the wrong type, or a text cannot be parsed
  out_of_range,          ///< a number or word is not allowed here
  not_divisible,         ///< a size is not a multiple of a number or of another size, as it must be
  inconsistent,          ///< fields contradict each other
  overflow,              ///< a count exceeds 128 bits, a dimension 63 bits, or a tensor the number of elements that torch allows
  unsupported,           ///< the input is valid, but this program cannot handle it
  not_loaded,            ///< this is a smaller program, which cannot find the model type or class; the full program may find it
  internal,              ///< a bug in this program
};

/// Kinds of configurations that are rejected on purpose although transformers can build a model from them. CONTRIBUTING.md explains each
/// kind.
enum class Refused : std::uint8_t {
  no,  ///< the configuration is not rejected on purpose
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

/// The name of the kind in an answer, e.g. "no_experts".
std::string_view spelling(Refused kind);

/// The name of the code in an answer, e.g. "not_divisible".
std::string_view spelling(ErrorCode code);

/// The core's only exception type, thrown for a configuration or a request that is invalid or cannot be handled. core/api/report.cpp
/// catches it and returns it as the answer. core/support/attempt.hpp catches it for code that does without the result or amends the Error.
/// `field` is the field that caused the error (empty: no single field did), and `message` explains the error to the user.
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
