#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/claims/row_switches.hpp"

namespace param_ledger {

/// A total that people call the parameters of a model: all of them, the active ones, those in the files, the text model, or one part.
/// Totals that an answer also shows have the same id and value.
struct ClaimTotal {
  std::string_view id;
  std::string_view label;        ///< the difference from all parameters: "output head"
  std::array<Places, 3> pieces;  ///< what is excluded or, with `alone`, what is counted; each piece must exist
  bool alone = false;            ///< only the pieces are counted
  bool active = false;           ///< as in Scope
  bool buffers = false;
  bool published = false;
  bool predicting = false;
  bool beside = false;
  bool cut = false;           ///< a number without a named total may be this one, cut off or rounded up
  unsigned cost = 0;          ///< if the claim does not name this total
  std::uint16_t subject = 0;  ///< the words that name it, as in Quantity

  [[nodiscard]] Scope scope() const;
};

/// All parameters first, then in the order in which they are offered.
std::span<const ClaimTotal> claim_totals();

/// Whether the total differs from the others in a model: none of its pieces is empty or without effect.
bool differs(const ClaimTotal& total, const RowTallies& rows);

/// Words that fit every total of a model because they have no effect: "active" in a model without experts.
std::uint16_t said_of_all(const RowTallies& rows);

}  // namespace param_ledger
