#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/config/constraints.hpp"
#include "core/nn/layers.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

/// What a type calls the matrices of a gated feed-forward block.
struct GatedNames {
  Text gate = {}, up = {}, down = {};  ///< else gate_proj, up_proj, down_proj
};
/// gate_proj, up_proj, down_proj: three matrices (SwiGLU, GeGLU).
void gated_mlp(Builder& b, Text name, Expr hidden, Expr inner, bool bias = false, const GatedNames& names = {});
/// The same with gate and up in one: gate_up_proj [2 × inner, hidden], down_proj.
void fused_gated_mlp(Builder& b, Text name, Expr hidden, Expr inner, bool bias = false, Text gate_up = "gate_up_proj",
                     Text down = "down_proj");
/// Two matrices, under the names that a type gives them.
void mlp(Builder& b, Text name, Expr hidden, Expr inner, bool bias = false, Text up = "up_proj", Text down = "down_proj");

/// How the experts of a layer are stored.
enum class ExpertLayout : std::uint8_t {
  one_by_one,         ///< `experts.[0-7].gate_proj.weight` … (and .bias)
  stacked,            ///< `experts.gate_up_proj` [experts, 2 × inner, hidden], `experts.down_proj` [experts, hidden, inner]
  stacked_transposed  ///< `experts.gate_up_proj` [experts, hidden, 2 × inner], `experts.down_proj` [experts, inner, hidden]
};

/// What corrects the scores of a router: one number per expert.
enum class RouterBias : std::uint8_t {
  none,
  buffer,
  parameter,
  parameter_row,  ///< [1, experts]
};

/// A mixture of experts: a router and routed experts, and what every token passes beside them.
struct Mixture {
  Expr hidden = {};
  Expr count = {};         ///< routed experts
  Expr active = {};        ///< how many of them a token uses
  Expr inner = {};         ///< width of one expert
  Expr expert_width = {};  ///< what experts work at, where it is not the hidden size
  ExpertLayout layout = ExpertLayout::one_by_one;
  bool expert_bias = false;
  Text experts = {};                   ///< else "experts"
  Text gate = {}, up = {}, down = {};  ///< else gate_proj, up_proj, down_proj; a gate named "": two matrices
  Text gate_up = {};                   ///< of stacked experts, else "gate_up_proj"
  Text router = {};                    ///< else "gate"
  bool router_bias = false;
  RouterBias correction = RouterBias::none;
  Text correction_name = {};  ///< beside the router and the experts, else "gate.e_score_correction_bias"
  Expr shared = {};           ///< width of the experts that every token uses; empty: none
  Text shared_name = {};      ///< else "shared_experts"
  GatedNames shared_names = {};
  bool shared_bias = false;
  bool shared_fused = false;  ///< gate and up in one
  Text shared_gate = {};      ///< a projection to one number that scales their output
};

/// The names of Mixtral's experts, which others took over; to be filled in.
Mixture mixtral_experts(Expr inner);
/// Those of Granite's: two tensors of all experts.
Mixture granite_experts(Expr inner);

/// Records the routed experts alone: `experts.[0-7].gate_proj` … Refuses none.
void routed_experts(Builder& b, const Mixture& m);
/// Records router, experts and what is shared under `name`. Refuses a mixture without experts: transformers builds one by accident.
void mixture(Builder& b, Text name, const Mixture& m);

/// Experts in a list of names: `experts.expert_0`, `experts.expert_1`, … Records `body` for them. Refuses none.
template <class Body>
void named_experts(Builder& b, Expr count, Count active, Body&& body) {
  require_positive(count, Refused::no_experts);
  b.repeat_experts("experts.expert_", count, b.pool().literal(active), body);
}

}  // namespace param_ledger
