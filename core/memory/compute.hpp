#pragma once

#include <string>
#include <vector>

#include "core/builder/inference.hpp"

namespace param_ledger {

/// The multiply-adds of a model's language part. Two operations each; a backward pass takes twice as many again.
struct Compute {
  Count matrices = 0;          ///< of the weights, for each token: what is active, kernels along the text, the head, no look-ups
  Count head = 0;              ///< of those, the head's
  Count prompt_pairs = 0;      ///< of attention over the whole prompt, each query with each key
  Count next_pairs = 0;        ///< the same for one token after it
  Count states = 0;            ///< of each token, here and there, with states of recurrences or of earlier layers
  Count prompt_once = 0;       ///< of a prompt beside its tokens
  std::vector<Text> left_out;  ///< what is computed beside this, and not counted
  std::string unknown;         ///< why the sum is not known; empty: it is, but for what is left out
};

Compute compute_of(const Builder& b, const Inference& inference);

}  // namespace param_ledger
