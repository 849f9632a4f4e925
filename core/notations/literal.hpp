#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace param_ledger {

/// A value in the notation of Python, JSON with comments or JSON5: dicts, lists, tuples, calls with named arguments, strings, numbers, and
/// names such as `None` or `torch.bfloat16`.
struct PythonLiteral {
  std::string json;
  std::size_t end = 0;  ///< the position after the value
};

/// Reads the value at `at`; none if there is none. A call such as `LlamaConfig(hidden_size=64)` becomes an object with the model type of
/// its class, unless the arguments name one. Throws Error if the value depends on something outside of the text: an undefined name or a
/// computation.
std::optional<PythonLiteral> read_literal(std::string_view text, std::size_t at);

/// The position after blanks, line ends and comments (`#`, `//`, `/* */`) at `at`.
std::size_t behind_blanks(std::string_view text, std::size_t at);

}  // namespace param_ledger
