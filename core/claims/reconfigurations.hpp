#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/edit.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// A variant of the model's configuration that somebody may have counted.
struct Reconfiguration {
  std::string_view id;
  std::string label;  ///< the variant in words, such as "64 key-value heads"
  unsigned cost;      ///< how uncommon the explanation is: see core/claims/conventions.hpp
  unsigned group;     ///< an explanation uses at most one variant of each group
  std::vector<Edit> edits;
};

/// The variants of a model: another class, the head tied or untied, no grouped queries, head_dim = hidden ÷ heads, another vocabulary.
std::vector<Reconfiguration> reconfigurations(const Model& model);

/// Values of Reconfiguration::group from this number on are free for other code.
constexpr unsigned first_free_group = 100;

}  // namespace param_ledger
