#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace param_ledger {

/// A value in the notation of Python, JSON with comments or JSON5: a dict, list, tuple, call with named arguments, string, number, or a
/// name such as `None` or `torch.bfloat16`.
struct PythonLiteral {
  std::string json;
  std::size_t end = 0;  ///< the position in the text after the value
};

/// Reads the value at `at`; none if there is no value. A call such as `LlamaConfig(hidden_size=64)` becomes an object with the model type
/// of its class, unless the arguments name one. Throws Error if the text does not give the value itself but, for example, a computation or
/// an undefined name.
std::optional<PythonLiteral> read_literal(std::string_view text, std::size_t at);

/// The position after any blanks, line ends, line continuations and comments (`#`, `//`, `/* */`) that begin at `at`. A comment `/* */` of
/// more than 10,000 characters is not skipped.
std::size_t behind_blanks(std::string_view text, std::size_t at);

}  // namespace param_ledger
