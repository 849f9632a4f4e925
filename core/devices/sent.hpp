#pragma once

#include <string>
#include <vector>

#include "core/devices/division.hpp"

namespace param_ledger {

/// What devices exchange for a token, at one kind of place. Elements are those of the whole tensor that a collective works on, whatever its
/// algorithm moves between two devices.
struct Sent {
  Text collective;  ///< all_reduce, all_gather, reduce_scatter, all_to_all, send
  bool backward = false;
  std::string_view place;  ///< the part of the model, with experts and shared_experts for themselves; "stages": between them
  Count among = 1;         ///< devices
  Expr elements = {};      ///< of one
  Expr times = {};         ///< how many there are in the model, for a token
  std::string why = {};
};

/// `trains`: backward, too. `sequence`: hidden states are split by tokens between the blocks (sequence parallelism), which only
/// Megatron-Core does here. Throws Error where what a program sends is not known.
std::vector<Sent> sent_by(Model& model, const Division& division, bool trains, bool sequence);

}  // namespace param_ledger
