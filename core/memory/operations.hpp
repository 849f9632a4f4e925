#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// A number of operations under one convention: two for each multiply-add.
struct OperationsCount {
  std::string_view id;
  bool training;             ///< forward and backward pass; else forward alone
  std::string_view label;    ///< "6·N without embedding tables"
  std::string formula;       ///< "6·N + 12·L·h·q·T"
  std::string substitution;  ///< "6 × 5,132,849,472 + 12 × …"
  std::string_view source;
  Count total;          ///< of all tokens
  Count per_token = 0;  ///< 0 if tokens differ
  bool attention;       ///< includes attention to other tokens, so the count per token depends on the context
};

/// All conventions for a context of `tokens` and that many `sequences`. If attention is not known, the conventions that need it are left
/// out, and `unknown` says why.
struct Operations {
  std::vector<OperationsCount> counts;
  std::string unknown;
  std::vector<Text> left_out;  ///< computed too, but part of no convention
};
/// `inference` is what `model` was recorded with.
Operations operations_of(const Model& model, const Inference& inference, Count tokens, Count sequences);

/// The operations of a model under each convention, as JSON, with the model FLOPs utilization if the request gives tokens a second and a
/// peak. OperationsAnswer in web/types/operations.ts is the form.
std::string operations_answer(Json root, Json request);

}  // namespace param_ledger
