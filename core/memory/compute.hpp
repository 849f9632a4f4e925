#pragma once

#include <string>
#include <vector>

#include "core/builder/inference.hpp"

namespace param_ledger {

/// The multiply-adds of a model's text part in a forward pass. Each multiply-add is two operations. A backward pass needs twice as many.
struct Compute {
  Count matrices = 0;  ///< multiply-adds with weights, per token: active matrices, convolutions along the sequence and the head, each as
                       ///< often as a generated token uses it, but not embedding lookups
  Count head = 0;      ///< the part of `matrices` that belongs to the head
  Count prompt_pairs = 0;      ///< multiply-adds of attention over the whole prompt, for every pair of a query and a key
  Count next_pairs = 0;        ///< multiply-adds of attention for the token that follows the prompt
  Count states = 0;            ///< multiply-adds per token with activations whose number does not grow with the context, such as recurrent
                               ///< states
  Count prompt_once = 0;       ///< multiply-adds that are done once per prompt, in addition to those per token
  std::vector<Text> left_out;  ///< descriptions of computations that are not counted
  std::string unknown;         ///< why the counts are not known; empty if they are
};

Compute compute_of(const Builder& b, const Inference& inference);

}  // namespace param_ledger
