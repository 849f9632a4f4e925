#pragma once

#include <optional>
#include <string>

#include "core/model/model.hpp"

namespace param_ledger {

/// A possible explanation for the exact difference between a stated number and a total: `times` × `each` parameters, described by `what`.
struct Remainder {
  Count times, each;
  std::string what;  ///< the explanation in words, such as "the biases of 33 norms"
};

/// Factors the difference between a stated integer and a total. Returns the first of these explanations that fits: the biases of all norms
/// of one width (only if `more`), the weight and the bias of one norm, one or two whole tables, up to 64 copies of another tensor. Each of
/// the last three is skipped if tensors of different sizes fit it. `more`: the stated number is larger than the total.
std::optional<Remainder> factored(const Model& model, Count rest, bool more);

}  // namespace param_ledger
