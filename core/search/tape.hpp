#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/expr/expr.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// Expressions as a list of steps, for repeated evaluation with different values of the variables. Values have 64 bits. `largest` stands
/// for its own value, for all larger values, and for unknown results, such as those computed from these or by a division by zero.
class Tape {
 public:
  using Value = std::uint64_t;
  using Step = std::uint32_t;
  static constexpr Value largest = std::numeric_limits<Value>::max();
  static constexpr unsigned not_polynomial = 99;

  /// Each of these functions appends a step: a constant, a variable given by its number, or an operation on earlier steps.
  Step literal(Count value);
  Step variable(unsigned number);
  Step operation(Op op, Step a, Step b);

  /// Sets the step that represents a name. A name without a step is replaced by its value if this does not vary, otherwise by its
  /// definition.
  void name(Expr name, Step step) { names_.emplace_back(name.node(), step); }
  /// Adds the steps of an expression and returns the last one. The tape may outlive the expression: later it only compares the addresses of
  /// expressions.
  Step add(Expr whole);

  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  /// The set of variables that a step depends on.
  [[nodiscard]] VariableSet depends(Step step) const { return steps_[step].depends; }
  /// An upper bound of a step's degree in a variable: 0 if the step does not depend on the variable, `not_polynomial` if it may not be a
  /// polynomial in it.
  [[nodiscard]] unsigned degree(Step step, unsigned variable) const;

  /// Computes the values of the first `steps` steps.
  void evaluate(std::span<const Value> variables, std::vector<Value>& values, std::size_t steps) const;
  /// Computes bounds for the values of the first `steps` steps when the variables lie between `least` and `most`.
  void bound(std::span<const Value> least, std::span<const Value> most, std::vector<Value>& low, std::vector<Value>& high,
             std::size_t steps) const;

 private:
  struct Entry {
    Op op;  ///< the operation; `name` stands for a variable
    VariableSet depends;
    Step a, b;  ///< operands; for a variable, `a` is its number
    Value literal;
  };

  Step append(Entry entry) {
    steps_.push_back(entry);
    return static_cast<Step>(steps_.size() - 1);
  }

  /// The step of an expression that is already on the tape; null if it is not.
  [[nodiscard]] const Step* known(Expr e) const;
  void learn(Expr e, Step step);

  std::vector<Entry> steps_;
  std::vector<std::pair<const Node*, Step>> names_;
  std::vector<std::pair<const Node*, Step>> known_;
  HashIndex index_;  ///< finds entries of `known_` by their hash
};

}  // namespace param_ledger
