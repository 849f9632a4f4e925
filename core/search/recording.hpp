#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/expr/expr.hpp"
#include "core/search/search_space.hpp"
#include "core/search/tape.hpp"

namespace param_ledger {

/// What a search counts, and which configurations it accepts as results.
struct Sought {
  bool active = false;  ///< whether active parameters are counted instead of all parameters
  bool uneven = false;  ///< also accepts models whose number of heads does not divide the width, or whose number of key-value heads does
                        ///< not divide the number of heads
};

/// The result of counting one configuration of a space: the formula of its total, or why it is refused. The result is also valid for every
/// configuration with the same values in the fields `looked_at` and the same outcomes of all conditions. A configuration with these values
/// is refused if it fails a demanded condition and has the same outcomes of all earlier conditions.
struct Recording {
  /// A comparison `a relation b` made while counting.
  struct Condition {
    Relation relation;
    Tape::Step a, b;
    bool holds;     ///< the outcome; if `demanded`, the required outcome
    bool demanded;  ///< whether a configuration with the other outcome is refused
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
  std::string refusal = {};   ///< why the configuration was refused; empty if it was counted
  std::string missing = {};   ///< a field of the request that the model does not read as a number; empty if there is none
  bool lacks_limit = false;   ///< whether `missing` is a field of one of the space's limits
  Count total_here = 0;       ///< the total of the recorded configuration
  VariableSet looked_at = 0;  ///< the varying fields whose values were read
  std::size_t unmet = none;   ///< in a refused configuration, the demanded condition that was not met; `none`: every configuration with the
                              ///< same values in `looked_at` and the same results of all conditions is refused
  Tape tape = {};             ///< the steps of conditions and limits, followed by those of the total
  std::size_t shape_steps = 0;  ///< the number of steps before those of the total
  Tape::Step total = 0;
  std::vector<Condition> conditions = {};  ///< the conditions in the order in which they were recorded
  std::vector<Condition> even = {};        ///< divisions that must be exact, or the configuration does not belong to the space
  std::vector<Condition> wished = {};      ///< divisions that must be exact, or the search does not accept the configuration as a result
  std::vector<Ratio> ratios = {};
  int line = -1;  ///< the field to search along, the one with the most values among those that no required division or equality depends on,
                  ///< in which the total is linear and each other demand or limit changes its outcome at most once; −1: none
};

/// What bounds on the fields imply about a condition.
enum class Truth : std::uint8_t { no, yes, open };

/// What the bounds imply about the condition: `yes` if its result is `holds` for all values within them.
Truth truth_of(const Recording::Condition& c, std::span<const Tape::Value> low, std::span<const Tape::Value> high);
/// What the bounds imply about the ratio: `yes` if it is within its limits for all values within them.
Truth truth_of(const Recording::Ratio& r, std::span<const Tape::Value> low, std::span<const Tape::Value> high);

}  // namespace param_ledger
