#pragma once

#include <vector>

#include "core/compare/matching.hpp"

namespace param_ledger {

/// What switching some fields of a model to another's values does to its count.
struct Cause {
  std::vector<std::size_t> fields;  ///< places among the matches; several where the first of them alone make no model
  bool architecture = false;        ///< the class is switched, too
  bool rest = false;                ///< all that is left: another model type, or what no field says
  Count after = 0;                  ///< the parameters now
};

/// The fields in which two models differ, switched one after another from `from` to `to`: vocabulary, width, depth, attention, state
/// space, feed-forward, experts, head, everything else. Each count is the core's, so the differences add up to that between the two.
/// What leaves the count as it was, though the value is another, is a cause of nothing and still listed.
std::vector<Cause> causes_between(const std::vector<FieldMatch>& matches, Models models, std::size_t from, std::size_t to);

}  // namespace param_ledger
