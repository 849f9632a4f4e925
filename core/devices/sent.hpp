#pragma once

#include <string>
#include <vector>

#include "core/devices/division.hpp"

namespace param_ledger {

/// One kind of exchange per token. `elements` counts the whole tensor that a collective works on, independent of its algorithm.
struct Sent {
  Text collective;  ///< all_reduce, all_gather, reduce_scatter, all_to_all, send
  bool backward = false;
  std::string_view place;  ///< the part of the model, where experts and shared_experts are parts; "stages": between pipeline stages
  Count among = 1;         ///< how many devices take part
  Expr elements = {};      ///< per exchange
  Expr times = {};         ///< exchanges per token in the whole model
  std::string why = {};
};

/// `trains`: includes the backward pass. `sequence`: hidden states are split by tokens between the blocks (sequence parallelism); only
/// Megatron-Core supports it here. Throws Error if what a program sends is not known.
std::vector<Sent> sent_by(Model& model, const Division& division, bool trains, bool sequence);

}  // namespace param_ledger
