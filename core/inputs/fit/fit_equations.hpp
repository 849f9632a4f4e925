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

/// What the shapes and numbers of a printed model say about the expressions that a family recorded for them. Sound: what it says follows
/// from the text, as long as the model's rows are those of the text.
class Equations {
 public:
  /// Those of a model whose rows were compared with the text.
  Equations(const Model& model, const PrintedMatch& match, const std::vector<ListedRow>& rows) : Equations(model, match, rows, {}) {}
  /// The same if these fields have these values, which is not sound.
  Equations(const Model& model, const PrintedMatch& match, const std::vector<ListedRow>& rows, const Settings& assumed);

  /// The value of an expression, where the text says it; that of a count that is no field is the model's.
  [[nodiscard]] std::optional<Count> value(Expr e) const;
  /// The fields whose values the text says.
  [[nodiscard]] Settings settings() const;
  /// Fields on which an expression depends, and of which the text says nothing.
  void unknown(Expr e, std::vector<Expr>& out) const;

 private:
  void equate(Expr e, Count value);
  void learn(Expr e, Count value);
  [[nodiscard]] const Count* find(Expr e) const;

  const Model& model_;
  std::vector<std::pair<Expr, Count>> known_;
  HashIndex index_;
  bool products_ = false;  ///< products and sums are solved, too
};

/// What a name must be for an expression to have that value, while all others have theirs; nothing where no integer does it.
std::optional<Count> solved(Expr e, Count value, Expr name);

/// Fields on which an expression depends, each once.
void fields_of(Expr e, std::vector<Expr>& out);

}  // namespace param_ledger
