#pragma once

#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

/// A row of experts, as a person says what a token does not use: (all - used) experts of so many elements, in so many layers.
struct IdleExperts {
  Expr all, used;             ///< experts in a layer, and how many of them a token uses
  std::vector<Expr> repeats;  ///< the row's other repeats, which are its layers
  Expr elements;              ///< of one expert
};

/// Divides the row's total and active products by what they share. Their value is all · elements · repeats, and used · elements · repeats.
IdleExperts idle_experts(Pool& pool, const Row& row);

}  // namespace param_ledger
