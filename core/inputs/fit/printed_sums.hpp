#pragma once

#include <optional>
#include <vector>

#include "core/inputs/fit/fit.hpp"
#include "core/inputs/printed/printed_model.hpp"

namespace param_ledger {

/// What a printed model comes to. A sum that rests on a guess is none of `parameters`.
struct PrintedSums {
  Count shown = 0;  ///< of what is printed, each module for itself: shared ones as often as they are printed
  std::optional<Count>
      parameters;                ///< unique ones, where the text says all; where it leaves open that alone whether the head is tied: if not
  std::optional<Count> if_tied;  ///< then: if it is
  std::optional<Count> if_assumed;  ///< where fields are open: with what is assumed of them
};

/// Of a piece of a model nothing but what is shown. `whole`: nothing of the text was cut or could not be read. `fitted` may be null.
PrintedSums printed_sums(const PrintedModel& printed, const Fitted* fitted, bool whole);

/// The rows that are printed, what shares another's storage marked as tied; and those that follow from them and the model's class.
std::vector<ListedRow> rows_of(const PrintedModel& printed, const Fitted* fitted);

/// The places that show nothing, though they may hold something, and that no model explains.
std::vector<const PrintedPlace*> unexplained(const PrintedModel& printed, const Fitted* fitted);

/// True for a field that says whether the output head is the embedding table.
bool ties_head(const OpenField& open);

}  // namespace param_ledger
