#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/expr/expr.hpp"
#include "core/search/search_space.hpp"
#include "core/search/tape.hpp"

namespace param_ledger {

/// What a search counts, and of which configurations.
struct Sought {
  bool active = false;  ///< the parameters that a token uses
  bool uneven = false;  ///< also what is built and cannot run: heads that do not share the width out, or their keys
};

/// What the core did with one configuration of a space, and how far that holds: the formula it counted, or that it refused. It is the same
/// for every configuration with these values of the fields `looked_at` in which every condition comes out the same, and a refusal too
/// where a demand is not met.
struct Recording {
  /// a `relation` b comes out as `holds`.
  struct Condition {
    Relation relation;
    Tape::Step a, b;
    bool holds;
    bool demanded;  ///< else the configuration is refused
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
  std::string refusal = {};     ///< why it was not
  std::string missing = {};     ///< a field of the space that the model does not read as a number
  bool lacks_limit = false;     ///< and it is one of a limit
  Count total_here = 0;         ///< of the configuration itself
  VariableSet looked_at = 0;    ///< those that vary and whose values were looked at
  std::size_t unmet = none;     ///< the condition that was demanded and not met; without one all else alike is refused
  Tape tape = {};               ///< conditions and shapes first, the total at the end
  std::size_t shape_steps = 0;  ///< steps before the total
  Tape::Step total = 0;
  std::vector<Condition> conditions = {};  ///< in the order in which they arose
  std::vector<Condition> even = {};        ///< what must divide for a configuration to be one of the space
  std::vector<Condition> wished = {};      ///< what must divide for it to be wanted
  std::vector<Ratio> ratios = {};
  int line = -1;  ///< the variable with most values in which the total is linear and shapes turn but once
};

/// What bounds say of a condition.
enum class Truth : std::uint8_t { no, yes, open };

/// Whether it comes out as it `holds`, where steps lie between these bounds.
Truth truth_of(const Recording::Condition& c, std::span<const Tape::Value> low, std::span<const Tape::Value> high);
/// Whether the ratio is within its limits.
Truth truth_of(const Recording::Ratio& r, std::span<const Tape::Value> low, std::span<const Tape::Value> high);

}  // namespace param_ledger
