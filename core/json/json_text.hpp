#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"

namespace param_ledger {

/// Texts beyond these limits are refused before anything is built from them.
constexpr std::size_t largest_text = 1'000'000;
constexpr std::size_t deepest_nesting = 64;

/// Owns what a config.json's text holds.
class Document {
 public:
  /// Reads JSON as Python's json module does: `NaN`, `Infinity` and `-Infinity` are values, the last of two equal keys counts.
  /// Throws Error{malformed_json} with line and column, Error{too_large} or Error{too_deep}. The column is that of the first
  /// character of what was not expected, in UTF-16 units, as editors and JavaScript count.
  explicit Document(std::string_view text);
  Document(const Document&) = delete;  // handles point to it
  Document& operator=(const Document&) = delete;

  [[nodiscard]] Json root() const { return {store_, store_.nodes.back()}; }
  /// Keys that stand twice or more in one object, each once, in the order of the text.
  [[nodiscard]] std::span<const std::string_view> repeated_keys() const { return repeated_keys_; }

 private:
  JsonStore store_;
  std::vector<std::string_view> repeated_keys_;
};

}  // namespace param_ledger
