#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/claims/row_switches.hpp"

namespace param_ledger {

/// A sum that people call the parameters of a model, by one name: all of them, the active ones, what the files hold, the text model, one
/// part alone. Those that an answer shows among its totals have the same id, and the same sum.
struct ClaimTotal {
  std::string_view id;
  std::string_view label;        ///< what lies between it and all parameters: "output head"
  std::array<Places, 3> pieces;  ///< what is left out, or of `alone` what is counted; each must be there
  bool alone = false;            ///< the pieces are all that is counted
  bool active = false;           ///< as Scope has them
  bool buffers = false;
  bool published = false;
  bool predicting = false;
  bool cut = false;           ///< a number that names no total may be this one cut off or rounded up
  unsigned cost = 0;          ///< where the claim does not say that it means this one
  std::uint16_t subject = 0;  ///< the words that mean it, as Quantity has them

  [[nodiscard]] Scope scope() const;
};

/// All parameters first; then in the order in which they are offered.
std::span<const ClaimTotal> claim_totals();

/// Whether that total is one of its own in a model: none of its pieces is empty, or makes no difference.
bool differs(const ClaimTotal& total, const RowTallies& rows);

/// What may be said of any total of a model, as it makes no difference there: "active" where there are no experts.
std::uint16_t said_of_all(const RowTallies& rows);

}  // namespace param_ledger
