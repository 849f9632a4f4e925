#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/expr.hpp"

namespace param_ledger {

/// Expressions as a list of steps, to evaluate them many times over other values of some names. In 64 bits: what would pass them is the
/// largest number, which is far from anything that is looked for.
class Tape {
 public:
  static constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  static constexpr unsigned not_polynomial = 99;

  /// What stands for a name: the number of a variable, or an expression, or neither (then its definition, else its value).
  struct Meaning {
    int variable = -1;
    Expr expression = {};
  };
  struct Naming {
    Expr name;
    Meaning meaning;
  };
  explicit Tape(std::vector<Naming> names) : names_(std::move(names)) {}

  /// Adds what the expression needs; its place among the values.
  std::size_t add(Expr e);

  /// The values of all steps.
  void evaluate(std::span<const std::uint64_t> variables, std::vector<std::uint64_t>& values) const;
  /// Their bounds, where each variable lies between two values.
  void bound(std::span<const std::uint64_t> least, std::span<const std::uint64_t> most, std::vector<std::uint64_t>& low,
             std::vector<std::uint64_t>& high) const;

  /// The degree of a step in a variable: 0 where it does not depend on it.
  [[nodiscard]] unsigned degree(std::size_t step, unsigned variable) const;

 private:
  struct Step {
    Op op;               ///< `name`: a variable
    std::uint32_t a, b;  ///< steps before; of a variable its number
    std::uint64_t literal;
    std::uint32_t depends;  ///< on variables, as a set
    const Node* node;
  };

  std::vector<Naming> names_;
  std::vector<Step> steps_;
};

}  // namespace param_ledger
