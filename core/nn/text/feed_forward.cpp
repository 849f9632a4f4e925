#include "core/nn/text/feed_forward.hpp"

#include "core/config/config.hpp"
#include "core/config/constraints.hpp"

namespace param_ledger {

void gated_mlp(Builder& b, Text name, Expr hidden, Expr inner, bool bias, const GatedNames& names) {
  b.scope(Part::feed_forward, name, [&] {
    const InBlock block(b, {Mechanism::gated_feed_forward});
    linear(b, names.gate.value_or("gate_proj"), hidden, inner, bias, TensorRole::gate);
    linear(b, names.up.value_or("up_proj"), hidden, inner, bias, TensorRole::up);
    linear(b, names.down.value_or("down_proj"), inner, hidden, bias, TensorRole::down);
  });
}

void fused_gated_mlp(Builder& b, Text name, Expr hidden, Expr inner, bool bias, Text gate_up, Text down) {
  b.scope(Part::feed_forward, name, [&] {
    const InBlock block(b, {Mechanism::gated_feed_forward});
    linear(b, gate_up, hidden, 2 * inner, bias, TensorRole::gate_and_up);
    linear(b, down, inner, hidden, bias, TensorRole::down);
  });
}

void mlp(Builder& b, Text name, Expr hidden, Expr inner, bool bias, Text up, Text down) {
  b.scope(Part::feed_forward, name, [&] {
    const InBlock block(b, {Mechanism::feed_forward});
    linear(b, up, hidden, inner, bias, TensorRole::up);
    linear(b, down, inner, hidden, bias, TensorRole::down);
  });
}

namespace {

Expr width_of(const Mixture& m) { return m.expert_width ? m.expert_width : m.hidden; }
Text experts_of(const Mixture& m) { return m.experts.value_or("experts"); }
Text gate_of(const Mixture& m) { return m.gate.value_or("gate_proj"); }
Text up_of(const Mixture& m) { return m.up.value_or("up_proj"); }
Text down_of(const Mixture& m) { return m.down.value_or("down_proj"); }

Block block_of(const Mixture& m) {
  return {.mechanism = gate_of(m).empty() ? Mechanism::feed_forward : Mechanism::gated_feed_forward,
          .experts = m.count,
          .active = m.active,
          .gate = m.gate_kind};
}

void experts_one_by_one(Builder& b, const Mixture& m) {
  const Expr width = width_of(m);
  b.part(Part::feed_forward, [&] {
    const InBlock block(b, block_of(m));
    b.repeat_experts(experts_of(m), m.count, m.active, [&] {
      if (!gate_of(m).empty()) linear(b, gate_of(m), width, m.inner, m.expert_bias, TensorRole::gate);
      linear(b, up_of(m), width, m.inner, m.expert_bias, TensorRole::up);
      linear(b, down_of(m), m.inner, width, m.expert_bias, TensorRole::down);
    });
  });
}

void stacked_experts(Builder& b, const Mixture& m) {
  const bool transposed = m.layout == ExpertLayout::stacked_transposed;
  const Stacked stacked{m.count, m.active};
  const auto stack = [&](TensorRole role, Text name, Expr in, Expr out) {
    b.scope(role, "", [&] {
      if (transposed) {
        const InBlock block(b, {.transposed = true});
        b.expert_parameter(name, {m.count, in, out}, stacked);
      } else
        b.expert_parameter(name, {m.count, out, in}, stacked);
      if (m.expert_bias) b.expert_parameter(std::string(name) + "_bias", {m.count, out}, stacked, StorageKind::vector);
    });
  };
  const Expr width = width_of(m);
  b.scope(Part::feed_forward, experts_of(m), [&] {
    const InBlock block(b, block_of(m));
    if (gate_of(m).empty())
      stack(TensorRole::up, up_of(m), width, m.inner);
    else
      stack(TensorRole::gate_and_up, m.gate_up.value_or("gate_up_proj"), width, 2 * m.inner);
    stack(TensorRole::down, down_of(m), m.inner, width);
  });
}

}  // namespace

Mixture mixtral_experts(Expr inner) { return {.inner = inner, .gate = "w1", .up = "w3", .down = "w2"}; }

Mixture granite_experts(Expr inner) {
  return {.inner = inner,
          .layout = ExpertLayout::stacked,
          .experts = "",
          .down = "output_linear.weight",
          .gate_up = "input_linear.weight",
          .router = "router.layer"};
}

void routed_experts(Builder& b, const Mixture& m) {
  require_positive(m.count, Refused::no_experts);
  if (m.layout == ExpertLayout::one_by_one)
    experts_one_by_one(b, m);
  else
    stacked_experts(b, m);
}

void mixture(Builder& b, Text name, const Mixture& m) {
  const Text correction = m.correction_name.value_or("gate.e_score_correction_bias");
  const Text shared = m.shared_name.value_or("shared_experts");
  b.scope(name, [&] {
    b.part(Part::router, [&] {
      const InBlock block(b, {Mechanism::router, {}, {}, m.count, m.active});
      linear(b, m.router.value_or("gate"), m.hidden, m.count, m.router_bias, TensorRole::router);
      if (m.correction == RouterBias::buffer) b.buffer(correction, {m.count});
      if (m.correction == RouterBias::parameter) b.parameter(correction, {m.count});
      if (m.correction == RouterBias::parameter_row) b.parameter(correction, {b.pool().literal(1), m.count});
    });
    routed_experts(b, m);
    b.owned_by(Owner::shared_expert, [&] {
      const InBlock block(b, {.shared = m.shared_count});
      if (m.shared && m.shared_fused) fused_gated_mlp(b, shared, m.hidden, m.shared, m.shared_bias);
      if (m.shared && !m.shared_fused) gated_mlp(b, shared, m.hidden, m.shared, m.shared_bias, m.shared_names);
    });
    if (!m.shared_gate.empty())
      b.part(Part::feed_forward, [&] { linear(b, m.shared_gate, m.hidden, b.pool().literal(1), false, TensorRole::shared_expert_gate); });
  });
}

}  // namespace param_ledger
