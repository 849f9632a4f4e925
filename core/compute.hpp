#pragma once

#include <string>
#include <vector>

#include "core/inference.hpp"

namespace param_ledger {

/// The multiply-adds of a model's language part. Two operations each; a backward pass takes twice as many again.
struct Compute {
  Count matrices = 0;          ///< of the weights, for each token: what is active, the head, no look-ups
  Count head = 0;              ///< of those, the head's
  Count prompt_pairs = 0;      ///< of attention over the whole prompt: each query with each key
  Count next_pairs = 0;        ///< of attention for one token after it
  std::vector<Text> left_out;  ///< what is computed beside this, and not counted
  std::string unknown;         ///< why the sum is not known; empty: it is, but for what is left out
};

Compute compute_of(const Builder& b, const Inference& inference, const Family& family);

}  // namespace param_ledger
