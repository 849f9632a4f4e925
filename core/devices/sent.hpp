#pragma once

#include <string>
#include <vector>

#include "core/devices/devices_request.hpp"
#include "core/devices/division.hpp"

namespace param_ledger {

/// When devices exchange data: in the forward or backward pass for each token, or once per training step.
enum class Pass : std::uint8_t { forward, backward, step };
std::string_view spelling(Pass pass);

/// One kind of exchange between devices. `elements` counts the whole tensor that a collective works on, independent of its algorithm. For
/// all_to_all, it counts only the part of the tensor that goes to other devices.
struct Sent {
  Text collective;  ///< all_reduce, all_gather, reduce_scatter, all_to_all, send
  Pass pass = Pass::forward;
  std::string_view place;  ///< a part of the model, or a group such as "experts", "stages" or "dense"
  Count among = 1;         ///< how many devices take part
  Expr elements = {};      ///< elements per exchange
  Expr times = {};         ///< exchanges in the whole model, per token or per step
  std::string why = {};
};

/// What the devices exchange for each token. `trains` includes the backward pass. `sequence`: hidden states are split by tokens between the
/// blocks (sequence parallelism); only Megatron-Core supports it here. Throws Error{missing_field} if the configuration does not give the
/// number of experts per token and the exchanges depend on it.
std::vector<Sent> sent_by(Model& model, const Division& division, bool trains, bool sequence);

/// What the devices exchange once per training step: gradients and parameters of the rows that they hold. Devices with the same share
/// exchange them; in Megatron-Core, devices within a copy of the model do so as well. `sequence`: whether sequence parallelism splits
/// hidden states by tokens.
std::vector<Sent> sent_in_step(Pool& pool, const DevicesRequest& request, bool sequence, const std::vector<LocalRow>& held);

}  // namespace param_ledger
