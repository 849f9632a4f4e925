#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/expr/like_terms.hpp"

namespace param_ledger {

/// Element counts of a model, summed over its tensors and by part of the model.
struct Totals {
  std::array<Count, answer_part_count> parameters{};  ///< parameter counts by part, indexed by `answer_part`
  std::array<Count, answer_part_count> buffers{};
  std::array<bool, answer_part_count> present{};
  Count parameter_sum = 0;  ///< the sum of all parameters, without tied tensors
  Count buffer_sum = 0;
  Count published = 0;  ///< number of additional elements in published files
  Count active = 0;     ///< number of parameters that are used for one token
  Count tables = 0;     ///< the part of `active` that is in the text model's embedding tables

  /// The parameters in one part of the text model.
  [[nodiscard]] Count of(Part part) const { return parameters[answer_part(part)]; }
};

Totals totals_of(const std::vector<Row>& rows);

/// The field for the number of experts per token, if the model has experts and the field was read but is neither given nor has a default;
/// otherwise null. Without a number, the number of active parameters is not known, and the rows count all experts as active.
const Field* missing_active(const Configuration& configuration, const std::vector<Row>& rows);
/// Throws Error{missing_field} if `missing_active` finds a field.
void require_active(const Configuration& configuration, const std::vector<Row>& rows);

/// A total's name in the answer and its meaning.
struct NamedTotal {
  std::string_view name;
  std::string_view definition;
  Count (*of)(const Totals& totals);
  bool active = false;  ///< whether only active parameters are counted
};

/// All totals of an answer, in the order in which they are listed.
const std::vector<NamedTotal>& named_totals();

/// The name that formulas use for a part's parameter count: "ffn" for feed_forward. The part's own name if it has no shorter one.
std::string_view step_name(std::string_view part);

/// The parameter count as one closed formula. Throws Error{internal} unless it equals the sum of the rows.
Expr closed_formula(Pool& pool, const std::vector<Row>& rows, const Totals& totals, Quotients exact = Quotients::exact_here);

}  // namespace param_ledger
