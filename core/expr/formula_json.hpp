#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/expr/formula.hpp"
#include "core/json/json_writer.hpp"

namespace param_ledger {

/// Writes a shape as a list of integers. Those beyond 2^53 are strings of digits: see `put_integer`.
void write_shape(JsonWriter& json, std::span<const Expr> shape);

/// Writes the formulas of one answer into its JSON, in prefix notation, and the list of the names that they use.
class FormulaJson {
 public:
  explicit FormulaJson(JsonWriter& json) : json_(json) {}

  void write(Expr formula);
  void member(std::string_view name, Expr formula);

  /// The names used so far, in the order of their numbers.
  [[nodiscard]] const std::vector<Expr>& names() const { return prefix_.names(); }
  /// Writes a list of [name, symbol, value, meaning, definition], including names that occur only in definitions. The definition is left
  /// out if there is none. The meaning of a config field is not written, because meanings of fields are in the catalogue: it is null if a
  /// definition follows, and left out otherwise.
  void write_names();

 private:
  JsonWriter& json_;
  PrefixWriter prefix_;
};

}  // namespace param_ledger
