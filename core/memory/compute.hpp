#pragma once

#include <string>
#include <vector>

#include "core/builder/inference.hpp"

namespace param_ledger {

/// The multiply-adds of the text part of a model in a forward pass. Each is two operations. A backward pass takes twice as many.
struct Compute {
  Count matrices = 0;          ///< multiply-adds with weights, per token: active matrices, convolutions along the sequence and the head,
                               ///< but not embedding lookups
  Count head = 0;              ///< the head's part of `matrices`
  Count prompt_pairs = 0;      ///< multiply-adds of attention over the whole prompt, for every pair of a query and a key
  Count next_pairs = 0;        ///< multiply-adds of attention for one token after the prompt
  Count states = 0;            ///< multiply-adds per token with recurrent states or with states of earlier layers
  Count prompt_once = 0;       ///< multiply-adds once per prompt, in addition to those per token
  std::vector<Text> left_out;  ///< computations that are not counted, in words
  std::string unknown;         ///< why the counts are not known; empty if they are known
};

Compute compute_of(const Builder& b, const Inference& inference);

}  // namespace param_ledger
