#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/json/json.hpp"

namespace param_ledger {

/// A regular expression for module names as compressed-tensors writes them, without "re:": literal characters, `.`, `\d`, `*`, `+`, `?`,
/// groups with alternatives, `^` at the beginning and `$` at the end. It matches from the beginning of a name, like Python's re.match.
class ModulePattern {
 public:
  /// Reads an expression. Empty if it uses any other syntax, has more than 500 characters or nests groups more than eight deep.
  static std::optional<ModulePattern> read(std::string_view expression);

  [[nodiscard]] bool matches(std::string_view name) const;
  /// Whether the pattern begins with `.*`, so that a prefix of the name does not matter.
  [[nodiscard]] bool begins_anywhere() const;

 private:
  struct Item;
  using Sequence = std::vector<Item>;
  struct Item {
    enum Kind : std::uint8_t { character, any, digit, group } kind = character;
    char letter = '\0';
    bool repeats = false;   ///< whether the item may be repeated: `*` or `+`
    bool optional = false;  ///< whether the item may be missing: `*` or `?`
    std::vector<Sequence> alternatives = {};
  };
  class Reader;
  /// A set of positions in a name, as one flag per position. `after` returns the positions where an item or a sequence can end if it begins
  /// at one of those in `from`.
  using Positions = std::vector<bool>;
  static Positions after(const Item& item, const Positions& from, std::string_view name);
  static Positions after(const Sequence& sequence, Positions from, std::string_view name);

  Sequence sequence_;
  bool to_the_end_ = false;
};

/// For each row, how many of its copies compressed-tensors quantizes, according to the configuration's lists `targets` and `ignore`.
/// Source: compressed_tensors/utils/match.py.
struct ConvertedCopies {
  std::vector<Count> copies;
  std::string unknown;  ///< why the numbers are not known; empty if they are
};
ConvertedCopies converted_by_patterns(Json quantization, const std::vector<Row>& rows);

}  // namespace param_ledger
