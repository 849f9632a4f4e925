#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/compare/matching.hpp"

namespace param_ledger {

/// One part of the difference between two models' counts: the effect of changing fields or the class, or parameters that no field explains.
struct Cause {
  std::vector<std::size_t> fields;  ///< positions in the list of matches; several if changing fewer gives no valid model or has no effect
  bool architecture = false;        ///< whether the model class changes, alone or together with `fields`
  bool rest = false;                ///< no field explains this difference: the model types differ, or equal fields give different tensors
  Count after = 0;                  ///< the parameter count after the change
  std::string_view purpose = {};    ///< for `rest`: the purpose of these parameters (core/compare/purposes.hpp); empty if not known
  std::vector<std::string> tensors = {};  ///< for the purpose "other": the names of its tensors
};

/// Explains the difference between the counts of models `from` and `to`. Changes the first model's fields to the second's values in this
/// order: vocabulary, size, layers, attention, state space, feed-forward, experts, head, everything else. If the model types differ, only
/// fields that both models read are changed. If they are equal, the class is also changed. The model is counted again after each change,
/// and the amounts add up to the difference. A changed value of a field that both models read is listed even if it leaves the count
/// unchanged. The part of the difference that no field explains is divided by purpose where possible.
std::vector<Cause> causes_between(const std::vector<FieldMatch>& matches, Models models, std::size_t from, std::size_t to);

}  // namespace param_ledger
