#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace param_ledger {

/// A value as Python, JSON with comments or JSON5 write it: dicts, lists, tuples, calls with named arguments, strings, numbers, and names
/// as `None` or `torch.bfloat16`.
struct PythonLiteral {
  std::string json;
  std::size_t end = 0;  ///< of the text, behind it
};

/// Reads the value that begins at `at`; none where that is no such value. A call such as `LlamaConfig(hidden_size=64)` becomes an object,
/// with the model type of its class unless it names one. Throws Error where the value is one, and what it holds is not said in the text:
/// a name that stands for something, a computation.
std::optional<PythonLiteral> read_literal(std::string_view text, std::size_t at);

/// Where blanks, line ends and comments (`#`, `//`, `/* */`) that begin at `at` end.
std::size_t behind_blanks(std::string_view text, std::size_t at);

}  // namespace param_ledger
