#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/expr/expr.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// Expressions as a list of steps, to evaluate them many times over other values of what varies. In 64 bits: `largest` stands for itself
/// and all beyond, and for what follows from such values and is not known.
class Tape {
 public:
  using Value = std::uint64_t;
  using Step = std::uint32_t;
  static constexpr Value largest = std::numeric_limits<Value>::max();
  static constexpr unsigned not_polynomial = 99;

  /// A value for all; that of a variable by its number; an operation on steps before.
  Step literal(Count value);
  Step variable(unsigned number);
  Step operation(Op op, Step a, Step b);

  /// What stands for that name from now on; else its definition does, or else its value.
  void name(Expr name, Step step) { names_.emplace_back(name.node(), step); }
  /// Adds what the expression needs. It is not looked at again.
  Step add(Expr whole);

  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  /// The variables that a step depends on, as a set.
  [[nodiscard]] VariableSet depends(Step step) const { return steps_[step].depends; }
  /// Its degree in a variable: 0 where it does not depend on it.
  [[nodiscard]] unsigned degree(Step step, unsigned variable) const;

  /// The values of the first so many steps.
  void evaluate(std::span<const Value> variables, std::vector<Value>& values, std::size_t steps) const;
  /// Their bounds, where each variable lies between two values.
  void bound(std::span<const Value> least, std::span<const Value> most, std::vector<Value>& low, std::vector<Value>& high,
             std::size_t steps) const;

 private:
  struct Entry {
    Op op;  ///< `name`: a variable
    VariableSet depends;
    Step a, b;  ///< of a variable its number
    Value literal;
  };

  Step append(Entry entry) {
    steps_.push_back(entry);
    return static_cast<Step>(steps_.size() - 1);
  }

  /// The step of what was added; null where it was not.
  [[nodiscard]] const Step* known(Expr e) const;
  void learn(Expr e, Step step);

  std::vector<Entry> steps_;
  std::vector<std::pair<const Node*, Step>> names_;
  std::vector<std::pair<const Node*, Step>> known_;
  HashIndex index_;  ///< of `known_`
};

}  // namespace param_ledger
