#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/claims/unit.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

/// One number of a text, and what the words around it say about it.
struct Claim {
  Quantity number;  ///< a percentage in millionths of one per cent: "0.52 %" is 520,000
  Unit unit = Unit::parameters;
  bool per_token = false;    ///< "131,072 bytes per token"
  bool trainable = false;    ///< what an adapter trains, or what a loader leaves trainable
  bool training = false;     ///< operations of a forward and a backward pass
  bool causal = false;       ///< operations with half of the attention
  bool utilization = false;  ///< model FLOPs utilization
  bool cache = false;        ///< bytes of keys and values
  bool packed = false;       ///< words name a 4-bit loader or format: "bnb", "GPTQ"
  bool whole = false;        ///< words say that it is all: "total", "all"
  bool prediction = false;   ///< layers that predict further tokens: "MTP"
  Count tokens = 0;          ///< "for 4,096 tokens"; 0: not given
  Count batch = 1;           ///< "batch 4"
  Count experts = 0;         ///< of "8x7B", where the number is 7B; else 0
};

/// The numbers of a text that may count a model: "671B total, 37B activated", a table of a model card, "8x7B", "7–9B". Numbers that count
/// something else ("14.8T tokens", "61 layers", "Llama 3.1") are left out. Throws Error naming `claim` if no number is left, or if a unit
/// does not fit what the words say.
std::vector<Claim> read_claims(std::string_view written);

}  // namespace param_ledger
