#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/support.hpp"

// Compares two lists of tensors by names, shapes, kinds and targets, whatever index ranges the names contain. A name with index ranges is a
// box of index tuples. Boxes are compared as sets, without listing their tuples.
namespace param_ledger::test {

struct Tensor {
  std::string name;
  std::string shape;  ///< JSON text
  std::string kind;
  std::string target;
};

/// The tensors in an answer, except those that exist only in published checkpoint files.
std::vector<Tensor> tensors_of(const Json& answer);

/// The differences between two lists of tensors, one line per tensor; empty if both lists stand for the same tensors.
std::string differences(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual);

}  // namespace param_ledger::test
