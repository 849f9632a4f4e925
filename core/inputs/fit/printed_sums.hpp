#pragma once

#include <optional>
#include <vector>

#include "core/inputs/fit/fit.hpp"
#include "core/inputs/printed/printed_model.hpp"

namespace param_ledger {

/// Totals of a printed model. Totals that depend on assumptions are kept apart from `parameters`.
struct PrintedSums {
  Count shown = 0;                  ///< parameters of all printed modules; a shared module counts each time it is printed
  std::optional<Count> parameters;  ///< unique parameters, if the printed text determines them; if it leaves open only whether the head is
                                    ///< tied, the number with an untied head
  std::optional<Count> if_tied;     ///< unique parameters with a tied head, if the printed text leaves open only whether the head is tied
  std::optional<Count> if_assumed;  ///< unique parameters with the assumed values of open fields, if the printed text leaves more open than
                                    ///< whether the head is tied
};

/// Totals of a printed text. For a fragment of a model, or if the fitted model does not agree with the text, only `shown` is set. `whole`:
/// all of the text could be read and nothing was cut off. `fitted` may be null.
PrintedSums printed_sums(const PrintedModel& printed, const Fitted* fitted, bool whole);

/// The printed rows. If the fitted model agrees with the text, hidden tensors whose shapes were deduced are appended, and tensors that
/// share storage are marked as tied, unless it is open whether the head is tied. `fitted` may be null.
std::vector<ListedRow> rows_of(const PrintedModel& printed, const Fitted* fitted);

/// Printed modules that may have parameters which are neither in the printed text nor in the fitted model.
std::vector<const PrintedPlace*> unexplained(const PrintedModel& printed, const Fitted* fitted);

/// Whether the open field determines if the output head is tied to the embedding table.
bool ties_head(const OpenField& open);

}  // namespace param_ledger
