#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/expr/like_terms.hpp"

namespace param_ledger {

/// Sums over the rows of one model.
struct Totals {
  std::array<Count, answer_part_count> parameters{};  ///< by `answer_part`
  std::array<Count, answer_part_count> buffers{};
  std::array<bool, answer_part_count> present{};
  Count parameter_sum = 0;  ///< a tensor that is tied to another counted once
  Count buffer_sum = 0;
  Count published = 0;  ///< what published files hold beside the model
  Count active = 0;     ///< parameters that one token uses
  Count tables = 0;     ///< of those, tables that rows are looked up in

  /// The parameters of that part of the text model.
  [[nodiscard]] Count of(Part part) const { return parameters[answer_part(part)]; }
};

Totals totals_of(const std::vector<Row>& rows);

/// One sum as the answer calls it, and what it counts.
struct NamedTotal {
  std::string_view name;
  std::string_view definition;
  Count (*of)(const Totals& totals);
};

/// Every sum of an answer, in its order.
const std::vector<NamedTotal>& named_totals();

/// The parameters as one closed formula; throws Error{internal} unless it gives the sum of the rows.
Expr closed_formula(Pool& pool, const std::vector<Row>& rows, const Totals& totals, Quotients exact = Quotients::exact_here);

}  // namespace param_ledger
