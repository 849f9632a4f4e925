#pragma once

#include <string>
#include <vector>

#include "core/devices/devices_request.hpp"
#include "core/devices/division.hpp"

namespace param_ledger {

/// When something is sent: for each token, forward and backward, or once a step of training.
enum class Pass : std::uint8_t { forward, backward, step };
std::string_view spelling(Pass pass);

/// What devices exchange, at one kind of place. Elements are those of the whole tensor that a collective works on, whatever its
/// algorithm moves between two devices.
struct Sent {
  Text collective;  ///< all_reduce, all_gather, reduce_scatter, all_to_all, send
  Pass pass = Pass::forward;
  std::string_view place;  ///< the part of the model, with experts and shared_experts for themselves; "stages": between them
  Count among = 1;         ///< devices
  Expr elements = {};      ///< of one
  Expr times = {};         ///< how many there are in the model, for a token or in a step
  std::string why = {};
};

/// `trains`: includes the backward pass. `sequence`: hidden states are split by tokens between the blocks (sequence parallelism); only
/// Megatron-Core supports it here. Throws Error if what a program sends is not known.
std::vector<Sent> sent_by(Model& model, const Division& division, bool trains, bool sequence);

/// What training sends once a step of these rows' gradients and parameters: among the devices that hold the same, and in Megatron-Core
/// within a copy of the model, too. `sequence` as above.
std::vector<Sent> sent_in_step(Pool& pool, const DevicesRequest& request, bool sequence, const std::vector<LocalRow>& held);

}  // namespace param_ledger
