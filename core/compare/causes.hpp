#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/compare/matching.hpp"

namespace param_ledger {

/// What changing some fields to another model's values does to the count.
struct Cause {
  std::vector<std::size_t> fields;  ///< positions in the list of matches; several if changing fewer gives no valid model or has no effect
  bool architecture = false;        ///< whether the model class changes as well
  bool rest = false;                ///< no field explains this difference: the model types differ, or equal fields give different tensors
  Count after = 0;                  ///< the parameter count after the change
  std::string_view purpose = {};    ///< for `rest`: the purpose of these parameters (core/compare/purposes.hpp); empty if not known
  std::vector<std::string> tensors = {};  ///< for the purpose "other": the names of its tensors
};

/// Changes the fields in which two models differ, one at a time, from `from` to `to`: vocabulary, size, layers, attention, state space,
/// feed-forward, experts, head, everything else. Every step is a full count, so the amounts add up to the difference. A changed value of a
/// field that both models read is listed even if it leaves the count unchanged. The rest of the difference, which no field explains, is
/// divided by purpose where possible.
std::vector<Cause> causes_between(const std::vector<FieldMatch>& matches, Models models, std::size_t from, std::size_t to);

}  // namespace param_ledger
