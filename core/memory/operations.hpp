#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// A number of operations under one convention. Each multiply-add is two operations.
struct OperationsCount {
  std::string_view id;
  bool training;             ///< whether it covers the forward and backward pass; otherwise the forward pass alone
  std::string_view label;    ///< the convention in words: "6·N of all active parameters"
  std::string formula;       ///< the formula with symbols: "(6·N + 12·L·h·q·T)·T"
  std::string substitution;  ///< the formula with numbers: "(6 × 5,132,849,472 + …) × 4,096"
  std::string_view source;
  bool attention;   ///< whether attention to other tokens is included; the count per token of a model with attention then depends on the
                    ///< context
  Count total = 0;  ///< operations for all tokens of all sequences
  Count per_token = 0;  ///< operations per token; 0 if some operations are done once per prompt
};

/// The operations for `sequences` sequences of `tokens` tokens under each convention. If the operations of a block are not known, only the
/// rules of thumb 2·N and 6·N are listed, and `unknown` says why.
struct Operations {
  std::vector<OperationsCount> counts;
  std::string unknown;
  std::vector<Text> left_out;  ///< descriptions of computations that the counts of forward and backward passes leave out
};
/// The operations of a model. `inference` must have been filled when `model` was built. Throws Error{missing_field} if the configuration of
/// a mixture of experts does not give the number of experts per token.
Operations operations_of(const Model& model, const Inference& inference, Count tokens, Count sequences);

/// The operations of a model under each convention, as JSON. Includes the model FLOPs utilization if the request gives tokens_per_second
/// and peak, and throws Error{missing_field} if it gives only one of them. OperationsAnswer in web/types/operations.ts declares the answer.
std::string operations_answer(Json root, Json request);

}  // namespace param_ledger
