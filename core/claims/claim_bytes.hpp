#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

/// A data type that all parameters are assumed to have.
struct Width {
  unsigned bits;
  std::string_view name;
  unsigned cost;  ///< how uncommon the explanation is: see core/claims/conventions.hpp
};

/// The size of a model's files as core/memory computes it: of the published files, of one GGUF file, or with the matrices in another data
/// type.
struct StoredBytes {
  std::string how;  ///< how the model is stored, in words: "the files as published, in float8"
  Count low;
  Count high;  ///< including the header of a GGUF file, for which only a bound is known
  unsigned cost;
};

/// The ways in which a claim in bytes may have been computed.
struct ByteWays {
  std::vector<Width> widths;       ///< widths to multiply parameter counts by; the first is the claim's, else the configuration's, else
                                   ///< bfloat16; empty if the claim names a GGUF format
  std::vector<Width> name_widths;  ///< widths to multiply the size in the model's name ("7B") by
  std::vector<StoredBytes> stored;
  std::string_view type_from;  ///< the origin of the first width: "claim", "config" or "default"
};

/// The ways in which a claim in bytes may have been computed. Throws Error{out_of_range} naming `claim` if its format is not known.
ByteWays ways_of_storing(const Model& model, Json root, const Quantity& claim);

}  // namespace param_ledger
