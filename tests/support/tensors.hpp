#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/support.hpp"

// Compares two lists of tensors as what they stand for: the expanded names with shapes, kinds and targets. A name with index
// ranges is a box of index tuples; boxes are compared as sets without being expanded.
namespace param_ledger::test {

struct Tensor {
  std::string name;
  std::string shape;  ///< JSON text
  std::string kind;
  std::string target;
};

/// The rows of an answer but for those that only files hold.
std::vector<Tensor> tensors_of(const Json& answer);

/// What `actual` lacks or has too many of, a line each; empty where both lists stand for the same tensors.
std::string differences(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual);

}  // namespace param_ledger::test
