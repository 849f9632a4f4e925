#pragma once

#include <string>
#include <vector>

#include "core/builder/inference.hpp"

namespace param_ledger {

/// The multiply-adds of a model's text part. Each is two operations; a backward pass costs twice as many again.
struct Compute {
  Count matrices = 0;          ///< of weights, per token: active matrices, kernels along the text, the head; no table lookups
  Count head = 0;              ///< the head's part of `matrices`
  Count prompt_pairs = 0;      ///< of attention in the whole prompt: all pairs of query and key
  Count next_pairs = 0;        ///< pairs of query and key for one token after the prompt
  Count states = 0;            ///< of each token with recurrent states or states of earlier layers
  Count prompt_once = 0;       ///< once per prompt, in addition to the work per token
  std::vector<Text> left_out;  ///< computed too, but not counted
  std::string unknown;         ///< why the sum is not known; empty: it is, except for `left_out`
};

Compute compute_of(const Builder& b, const Inference& inference);

}  // namespace param_ledger
