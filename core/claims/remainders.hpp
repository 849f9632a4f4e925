#pragma once

#include <optional>
#include <string>

#include "core/model/model.hpp"

namespace param_ledger {

/// A possible explanation for the exact difference between a stated number and a total: `times` × `each` parameters, described by `what`.
struct Remainder {
  Count times, each;
  std::string what;  ///< "the biases of 33 norms"
};

/// Factors the difference between a stated integer and a total. In this order, the first that fits: biases for all norms, whole norms,
/// whole tables, and up to 64 times a tensor of the model. Nothing if two tensors of different sizes fit.
std::optional<Remainder> factored(const Model& model, Count rest, bool more);

}  // namespace param_ledger
