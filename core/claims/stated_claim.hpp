#pragma once

#include "core/claims/unit.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

/// One number in a text, and what the words around it say about it.
struct Claim {
  Quantity number;  ///< a percentage is stored in millionths of one per cent: "0.52 %" is 520,000
  Unit unit = Unit::parameters;
  bool per_token = false;    ///< whether the number is per token: "131,072 bytes per token"
  bool trainable = false;    ///< whether the words say "trainable"
  bool training = false;     ///< whether the words name training or a backward pass
  bool causal = false;       ///< whether the words say "causal"; counts with attention in full are then not considered
  bool utilization = false;  ///< whether the words name a utilization: "MFU"
  bool cache = false;        ///< whether the words name a cache: "KV cache"
  bool states = false;       ///< whether the words name recurrent states
  bool packed = false;       ///< whether the words name a 4-bit loader or format: "bnb", "GPTQ"
  bool whole = false;        ///< whether the words say that the number counts everything: "total", "all"
  bool prediction = false;   ///< whether the words name multi-token-prediction layers: "MTP"
  Count tokens = 0;          ///< how many tokens the number is for, with k read as 1,024: "for 4,096 tokens"; 0: not given
  Count other_tokens = 0;    ///< like `tokens`, but with k read as 1,000
  Count batch = 1;           ///< how many sequences the number is for: "batch 4"
  Count experts = 0;         ///< the stated number of experts, such as the 8 in "8x7B"; 0: not given
};

}  // namespace param_ledger
