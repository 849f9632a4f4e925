#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/expr/expr.hpp"
#include "core/inputs/fit/fit_settings.hpp"
#include "core/inputs/printed/printed_match.hpp"
#include "core/inputs/tensors/listed_row.hpp"

namespace param_ledger {

/// Solves for configuration fields by equating the symbolic shapes and repeat counts of a family's tensors with the numbers in a printed
/// model. The solution follows from the printed text if the model has the same rows.
class Equations {
 public:
  /// Equations for a model that was compared with the printed text.
  Equations(const Model& model, const PrintedMatch& match, const std::vector<ListedRow>& rows) : Equations(model, match, rows, {}) {}
  /// Also assumes that fields have the values in `assumed`. If these values are wrong, the solution may be wrong, too.
  Equations(const Model& model, const PrintedMatch& match, const std::vector<ListedRow>& rows, const Settings& assumed);

  /// The value of an expression, if the printed text determines it. Derived counts without a definition keep the model's value.
  [[nodiscard]] std::optional<Count> value(Expr e) const;
  /// The configuration fields whose values the printed text determines.
  [[nodiscard]] Settings settings() const;
  /// Appends those fields in an expression whose values the printed text does not determine.
  void unknown(Expr e, std::vector<Expr>& out) const;

 private:
  void equate(Expr e, Count value);
  void learn(Expr e, Count value);
  [[nodiscard]] const Count* find(Expr e) const;

  const Model& model_;
  std::vector<std::pair<Expr, Count>> known_;
  HashIndex index_;
  bool products_ = false;  ///< whether to solve for the operands of products, sums and other operations, too, not only for single names
};

/// The value of `name` for which the expression `e` equals `value`, while everything else in `e` keeps the model's values; none if no such
/// integer is found.
std::optional<Count> solved(Expr e, Count value, Expr name);

/// Appends the fields that an expression depends on, each once.
void fields_of(Expr e, std::vector<Expr>& out);

}  // namespace param_ledger
