#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

/// A type of numbers that every parameter is taken to be stored in.
struct Width {
  unsigned bits;
  std::string_view name;
  unsigned cost;  ///< as core/claims/conventions.hpp has it
};

/// The bytes of a model as `memory` knows them: files as published, or a format.
struct StoredBytes {
  std::string how;  ///< "the files as published, in float8"
  Count low;
  Count high;  ///< with the header of a GGUF file, of which only the size is known
  unsigned cost;
};

/// How a claim in bytes may have come about.
struct ByteWays {
  std::vector<Width> widths;       ///< of a sum of parameters; the first is the claim's, else the configuration's
  std::vector<Width> name_widths;  ///< of the size that the model is named by
  std::vector<StoredBytes> stored;
  std::string_view type_from;  ///< who says the first width: "claim", "config"; "default": nobody
};

/// Throws Error{out_of_range} naming `claim` where it is in a format that is not known.
ByteWays ways_of_storing(const Model& model, Json root, const Quantity& claim);

}  // namespace param_ledger
