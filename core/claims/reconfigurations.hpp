#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/edit.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// Another configuration that somebody may have counted: the model as it is not.
struct Reconfiguration {
  std::string_view id;
  std::string label;  ///< "64 key-value heads"
  unsigned cost;      ///< how plain it is, as core/claims/conventions.hpp has it
  unsigned group;     ///< of one group only one at a time
  std::vector<Edit> edits;
};

/// Those of a model: another class, the head tied or not, no grouped queries, head_dim as the share of the width, another vocabulary.
std::vector<Reconfiguration> reconfigurations(const Model& model);

/// The groups that others than these may use begin here.
constexpr unsigned first_free_group = 100;

}  // namespace param_ledger
