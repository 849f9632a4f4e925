#pragma once

#include <string_view>

#include "core/builder/blocks.hpp"
#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/config/constraints.hpp"
#include "core/nn/layers.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

/// The names of the matrices in a gated feed-forward block.
struct GatedNames {
  Text gate = {}, up = {}, down = {};  ///< names of the three matrices; null: "gate_proj", "up_proj", "down_proj"
};
/// Records a gated feed-forward block (SwiGLU, GeGLU): gate_proj, up_proj and down_proj, or matrices with other `names`.
void gated_mlp(Builder& b, Text name, Expr hidden, Expr inner, bool bias = false, const GatedNames& names = {});
/// Records a gated feed-forward block with gate and up fused in one matrix, `gate_up` [2 × inner, hidden], and the matrix `down`.
void fused_gated_mlp(Builder& b, Text name, Expr hidden, Expr inner, bool bias = false, Text gate_up = "gate_up_proj",
                     Text down = "down_proj");
/// Records a plain feed-forward block: two matrices, named `up` and `down`.
void mlp(Builder& b, Text name, Expr hidden, Expr inner, bool bias = false, Text up = "up_proj", Text down = "down_proj");

/// The tensors that the experts of a layer are stored as.
enum class ExpertLayout : std::uint8_t {
  one_by_one,         ///< each expert separately, e.g. `experts.[0-7].gate_proj.weight`
  stacked,            ///< `experts.gate_up_proj` [experts, 2 × inner, hidden], `experts.down_proj` [experts, hidden, inner]
  stacked_transposed  ///< `experts.gate_up_proj` [experts, hidden, 2 × inner], `experts.down_proj` [experts, inner, hidden]
};

/// How the correction of a router's scores, one value for each expert, is stored.
enum class RouterBias : std::uint8_t {
  none,
  buffer,
  parameter,
  parameter_row,  ///< a parameter with shape [1, experts]
};

/// A mixture of experts: a router, routed experts, and optional shared experts.
struct Mixture {
  Expr hidden = {};
  Expr count = {};         ///< number of routed experts
  Expr active = {};        ///< number of routed experts that a token uses
  Expr inner = {};         ///< inner width of one expert
  Expr expert_width = {};  ///< input and output width of the experts, if it differs from the hidden size
  ExpertLayout layout = ExpertLayout::one_by_one;
  Gate gate_kind = Gate::activated;  ///< how the routed experts combine gate and up projection
  bool expert_bias = false;
  Text experts = {};                   ///< name of the experts' module, which may be ""; null: "experts"
  Text gate = {}, up = {}, down = {};  ///< names of an expert's matrices; null: "gate_proj", "up_proj", "down_proj"; if `gate` is "", there
                                       ///< is no gate
  Text gate_up = {};                   ///< name of the fused projection of stacked experts; null: "gate_up_proj"
  Text router = {};                    ///< name of the router; null: "gate"
  bool router_bias = false;
  RouterBias correction = RouterBias::none;
  Text correction_name = {};  ///< name of the correction of the router's scores; null: "gate.e_score_correction_bias"
  Expr shared = {};           ///< total inner width of the shared experts; empty: none
  Expr shared_count = {};     ///< number of shared experts in that width; empty: one
  Text shared_name = {};      ///< name of the shared experts' module; null: "shared_experts"
  GatedNames shared_names = {};
  bool shared_bias = false;
  bool shared_fused = false;  ///< whether the gate and up projections of shared experts are fused
  Text shared_gate = {};      ///< name of a projection to one value that scales the shared experts' output; empty: none
};

/// Settings with the inner width of the experts, and with the names that Mixtral and other model types use for their matrices: w1, w3, w2.
Mixture mixtral_experts(Expr inner);
/// Settings with the inner width of the experts and GraniteMoE's names. In each layer, two tensors contain all experts.
Mixture granite_experts(Expr inner);

/// Records only the routed experts, e.g. `experts.[0-7].gate_proj`. Throws if there are 0 experts.
void routed_experts(Builder& b, const Mixture& m);
/// Records the router, the routed experts and any shared experts under `name`. Throws if there are 0 experts, although transformers accepts
/// that.
void mixture(Builder& b, Text name, const Mixture& m);

/// Records experts that are named `experts.expert_0`, `experts.expert_1`, … Calls `body` once for all of them. Throws if there are 0
/// experts.
template <class Body>
void named_experts(Builder& b, Expr count, Count active, Body&& body) {
  require_positive(count, Refused::no_experts);
  b.repeat_experts("experts.expert_", count, b.pool().literal(active), body);
}

}  // namespace param_ledger
