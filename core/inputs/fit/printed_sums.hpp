#pragma once

#include <optional>
#include <vector>

#include "core/inputs/fit/fit.hpp"
#include "core/inputs/printed/printed_model.hpp"

namespace param_ledger {

/// Totals of a printed model. A total with assumptions is not in `parameters`.
struct PrintedSums {
  Count shown = 0;  ///< of all printed modules; shared ones count each time they are printed
  std::optional<Count>
      parameters;  ///< unique parameters, if the text determines them; if only a tied head is in question, those without tying
  std::optional<Count> if_tied;     ///< the unique parameters with a tied head, if a tied head is in question
  std::optional<Count> if_assumed;  ///< if other fields are open: with their assumed values
};

/// Totals of a printed text; for a piece of a model only `shown`. `whole`: no part of the text was cut or unreadable. `fitted` may be null.
PrintedSums printed_sums(const PrintedModel& printed, const Fitted* fitted, bool whole);

/// The printed rows, with those that share storage marked as tied, and the rows that follow from them and the model's class.
std::vector<ListedRow> rows_of(const PrintedModel& printed, const Fitted* fitted);

/// Places that show nothing although they may have parameters, and that no model explains.
std::vector<const PrintedPlace*> unexplained(const PrintedModel& printed, const Fitted* fitted);

/// Whether the field ties the output head to the embedding table.
bool ties_head(const OpenField& open);

}  // namespace param_ledger
