#pragma once

#include "core/claims/unit.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

/// One number in a text, and what the words around it say about it.
struct Claim {
  Quantity number;  ///< a percentage in millionths of one per cent: "0.52 %" is 520,000
  Unit unit = Unit::parameters;
  bool per_token = false;    ///< "131,072 bytes per token"
  bool trainable = false;    ///< counts what an adapter trains, or what a loader leaves trainable
  bool training = false;     ///< operations of a forward and a backward pass
  bool causal = false;       ///< operations with half of the attention, as a causal mask allows
  bool utilization = false;  ///< model FLOPs utilization
  bool cache = false;        ///< bytes of keys and values
  bool states = false;       ///< bytes of recurrent states alone
  bool packed = false;       ///< words name a 4-bit loader or format: "bnb", "GPTQ"
  bool whole = false;        ///< words say that the number counts everything: "total", "all"
  bool prediction = false;   ///< words name multi-token-prediction layers: "MTP"
  Count tokens = 0;          ///< "for 4,096 tokens", where k is 1,024; 0: not given
  Count other_tokens = 0;    ///< like `tokens`, but with k read as 1,000
  Count batch = 1;           ///< number of sequences: "batch 4"
  Count experts = 0;         ///< the 8 of "8x7B"; else 0
};

}  // namespace param_ledger
