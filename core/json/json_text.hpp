#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"

namespace param_ledger {

/// The size limit in bytes. Larger texts are rejected before they are parsed.
constexpr std::size_t largest_text = 1'000'000;
constexpr std::size_t deepest_nesting = 64;

/// A parsed JSON text, such as a config.json or a request. Owns its values.
class Document {
 public:
  /// Parses JSON. As in Python's json module, `NaN`, `Infinity` and `-Infinity` are values, and the last of several equal keys wins. Skips
  /// a byte order mark. Throws Error{malformed_json} with line and column, Error{too_large} or Error{too_deep}. The column counts UTF-16
  /// code units, as positions in JavaScript strings do.
  explicit Document(std::string_view text);
  Document(const Document&) = delete;  // Json handles point into it
  Document& operator=(const Document&) = delete;

  [[nodiscard]] Json root() const { return {store_, store_.nodes.back()}; }
  /// The keys that occur more than once in an object, without duplicates. The keys of inner objects come before those of the objects around
  /// them.
  [[nodiscard]] std::span<const std::string_view> repeated_keys() const { return repeated_keys_; }

 private:
  JsonStore store_;
  std::vector<std::string_view> repeated_keys_;
};

}  // namespace param_ledger
