#pragma once

#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

/// The elements of a row that a token does not use, in the form in which a person would write them: (all − used) experts, times the
/// elements per expert, times the layers.
struct IdleExperts {
  Expr all, used;             ///< experts in a layer, and how many of them a token uses
  std::vector<Expr> repeats;  ///< the row's other repeats, which are its layers
  Expr elements;              ///< elements of one expert in one layer
};

/// Cancels the factors that the row's total and active elements share. The total is all · elements · repeats, and the active elements are
/// used · elements · repeats.
IdleExperts idle_experts(Pool& pool, const Row& row);

}  // namespace param_ledger
