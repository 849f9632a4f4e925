#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/claims/row_switches.hpp"

namespace param_ledger {

/// A total that people may state as a model's number of parameters, such as all of them, the active ones, those in the files, or those of
/// some parts. A total that the answer to `count` also contains has the same id and value there.
struct ClaimTotal {
  std::string_view id;
  std::string_view label;  ///< how the total differs from the total parameter count: "output head"
  /// The parts that are excluded or, with `alone`, counted. The total exists only in models that have all these parts.
  std::array<Places, 3> pieces;
  bool alone = false;   ///< only the pieces are counted
  bool active = false;  ///< like the next four members, defined in Scope (core/claims/row_switches.hpp)
  bool buffers = false;
  bool published = false;
  bool predicting = false;
  bool beside = false;
  bool cut = false;           ///< whether a claim that names no total may state this total cut off, rounded up or as a round number
  unsigned cost = 0;          ///< the cost if the claim does not name this total
  std::uint16_t subject = 0;  ///< the words that name this total: bits of subject::Word

  [[nodiscard]] Scope scope() const;
};

/// All totals, in the order that breaks ties between explanations. The total parameter count comes first.
std::span<const ClaimTotal> claim_totals();

/// Whether the total differs from all simpler totals in this model: undoing any one of its pieces, `alone`, `active` or the most specific
/// other flag changes the sum. With `beside`, whether there are such tensors.
bool differs(const ClaimTotal& total, const RowTallies& rows);

/// Words that fit every total of a model because they have no effect: "active" in a model without experts.
std::uint16_t said_of_all(const RowTallies& rows);

}  // namespace param_ledger
