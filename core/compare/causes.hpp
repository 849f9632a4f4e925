#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/compare/matching.hpp"

namespace param_ledger {

/// The effect on the count of changing some fields to another model's values.
struct Cause {
<<<<<<< HEAD
  std::vector<std::size_t> fields;        ///< positions in the list of matches; more than one if changing fewer fields gives no valid model
  bool architecture = false;              ///< whether the class changes, too
  bool rest = false;                      ///< whether no field causes the difference: the model types differ, or the tensors differ
                                          ///< although the fields are equal
  Count after = 0;                        ///< the number of parameters after the change
  std::string_view purpose = {};          ///< for `rest`: the purpose of these parameters (core/compare/purposes.hpp); empty if not known
  std::vector<std::string> tensors = {};  ///< for `rest` without a known purpose: the names of the tensors that differ
=======
  std::vector<std::size_t> fields;  ///< positions in the list of matches; several if changing fewer of them gives no valid model
  bool architecture = false;        ///< whether the model class changes as well
  bool rest = false;                ///< no field explains this difference: the model types differ, or equal fields give different tensors
  Count after = 0;                  ///< the parameter count after the change
  std::string_view purpose = {};    ///< for `rest`: the purpose of these parameters (core/compare/purposes.hpp); empty if not known
  std::vector<std::string> tensors = {};  ///< for `rest` without a known purpose: the names of the tensors
>>>>>>> h1
};

/// Changes the fields in which two models differ, one at a time, from the values in `from` to those in `to`: vocabulary, width, depth,
/// attention, state space, feed-forward, experts, head, everything else. Every step is a full count, so the amounts add up to the
/// difference. A changed value is listed even if it leaves the count unchanged. The remaining difference, which no field explains, is split
/// by purpose.
std::vector<Cause> causes_between(const std::vector<FieldMatch>& matches, Models models, std::size_t from, std::size_t to);

}  // namespace param_ledger
