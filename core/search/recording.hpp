#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/expr/expr.hpp"
#include "core/search/search_space.hpp"
#include "core/search/tape.hpp"

namespace param_ledger {

/// What a search counts, and which configurations it accepts.
struct Sought {
  bool active = false;  ///< counts active parameters
  bool uneven = false;  ///< also accepts models that can be built but not run: heads that do not divide the width, or key-value heads that
                        ///< do not divide the heads
};

/// The outcome for one configuration of a space: the counted formula, or a refusal. It is also the outcome for every configuration with the
/// same values in the fields `looked_at` and the same results of all conditions. A refusal also applies wherever a demand is not met.
struct Recording {
  /// The outcome of `a relation b` is `holds`.
  struct Condition {
    Relation relation;
    Tape::Step a, b;
    bool holds;
    bool demanded;  ///< the configuration is refused unless the condition holds
  };
  struct Ratio {
    Tape::Step of, over;
    const Space::Limit* limit;
  };
  static constexpr std::size_t none = ~std::size_t{0};

  Recording(const Space& space, const Space::Point& point, Sought wanted);
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  bool counted = false;
  std::string refusal = {};   ///< why it was refused
  std::string missing = {};   ///< a field of the space that the model does not read as a number
  bool lacks_limit = false;   ///< `missing` is a field of one of the space's limits
  Count total_here = 0;       ///< the total of the recorded configuration
  VariableSet looked_at = 0;  ///< varying fields whose values were read
  std::size_t unmet = none;   ///< the demanded condition that was not met; `none`: every configuration with the same values in `looked_at`
                              ///< and the same results of all conditions is refused
  Tape tape = {};             ///< the steps for conditions and limits first, those for the total last
  std::size_t shape_steps = 0;  ///< steps before the total
  Tape::Step total = 0;
  std::vector<Condition> conditions = {};  ///< in the order of recording
  std::vector<Condition> even = {};        ///< divisions that must be exact in a configuration of the space
  std::vector<Condition> wished = {};      ///< divisions that must be exact in an accepted configuration
  std::vector<Ratio> ratios = {};
  int line = -1;  ///< the variable with the most values among those in which the total is linear and each demand or limit changes its
                  ///< outcome at most once; −1: none
};

/// What bounds imply about a condition.
enum class Truth : std::uint8_t { no, yes, open };

/// Whether the condition's outcome is `holds` for all values in these bounds.
Truth truth_of(const Recording::Condition& c, std::span<const Tape::Value> low, std::span<const Tape::Value> high);
/// Whether the ratio is within its limits for all values in these bounds.
Truth truth_of(const Recording::Ratio& r, std::span<const Tape::Value> low, std::span<const Tape::Value> high);

}  // namespace param_ledger
