#include "core/blocks/feed_forward.hpp"

#include "core/config.hpp"

namespace param_ledger {

void gated_mlp(Builder& b, std::string_view name, Expr hidden, Expr inner, bool bias) {
  b.scope(Part::feed_forward, name, [&] {
    linear(b, "gate_proj", hidden, inner, bias);
    linear(b, "up_proj", hidden, inner, bias);
    linear(b, "down_proj", inner, hidden, bias);
  });
}

void fused_gated_mlp(Builder& b, std::string_view name, Expr hidden, Expr inner, bool bias, std::string_view gate_up,
                     std::string_view down) {
  b.scope(Part::feed_forward, name, [&] {
    linear(b, gate_up, hidden, 2 * inner, bias);
    linear(b, down, inner, hidden, bias);
  });
}

void mlp(Builder& b, std::string_view name, Expr hidden, Expr inner, bool bias, std::string_view up, std::string_view down) {
  b.scope(Part::feed_forward, name, [&] {
    linear(b, up, hidden, inner, bias);
    linear(b, down, inner, hidden, bias);
  });
}

namespace {

Expr width_of(const Mixture& m) { return m.expert_width ? m.expert_width : m.hidden; }

void experts_one_by_one(Builder& b, const Mixture& m) {
  const Expr width = width_of(m);
  b.part(Part::feed_forward, [&] {
    b.repeat_experts(m.experts, m.count, m.active, [&] {
      if (!m.gate.empty()) linear(b, m.gate, width, m.inner, m.expert_bias);
      linear(b, m.up, width, m.inner, m.expert_bias);
      linear(b, m.down, m.inner, width, m.expert_bias);
    });
  });
}

void stacked_experts(Builder& b, const Mixture& m) {
  const bool transposed = m.layout == ExpertLayout::stacked_transposed;
  const auto stack = [&](std::string_view name, Expr in, Expr out) {
    if (transposed)
      b.expert_parameter(name, {m.count, in, out}, m.active);
    else
      b.expert_parameter(name, {m.count, out, in}, m.active);
    if (m.expert_bias) b.expert_parameter(std::string(name) + "_bias", {m.count, out}, m.active, Role::vector);
  };
  const Expr width = width_of(m);
  b.scope(Part::feed_forward, m.experts, [&] {
    if (m.gate.empty())
      stack("up_proj", width, m.inner);
    else
      stack("gate_up_proj", width, 2 * m.inner);
    stack("down_proj", m.inner, width);
  });
}

}  // namespace

void mixture(Builder& b, std::string_view name, const Mixture& m) {
  require_positive(m.count);
  b.scope(name, [&] {
    b.part(Part::router, [&] {
      linear(b, m.router, m.hidden, m.count, m.router_bias);
      if (m.correction == Correction::buffer) b.buffer(m.correction_name, {m.count});
      if (m.correction == Correction::parameter) b.parameter(m.correction_name, {m.count});
    });
    if (m.layout == ExpertLayout::one_by_one)
      experts_one_by_one(b, m);
    else
      stacked_experts(b, m);
    if (m.shared) gated_mlp(b, m.shared_name, m.hidden, m.shared);
    if (!m.shared_gate.empty()) b.part(Part::feed_forward, [&] { linear(b, m.shared_gate, m.hidden, b.pool().literal(1)); });
  });
}

}  // namespace param_ledger
