#pragma once

#include <string>

#include "core/builder.hpp"

namespace param_ledger {

/// What a tensor does, in words that hold across model types: q_proj, wq and query are "query". Compared as a whole.
struct TensorRole {
  std::string words;      ///< "expert gate", "cross query bias"; empty where its name tells nothing
  std::size_t place = 0;  ///< of several tensors of one role in a model the lowest is meant
};

/// By its part, its name and whether it stands in a layer.
TensorRole role_of(const Row& row);

}  // namespace param_ledger
