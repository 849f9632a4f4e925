#include "core/nn/text/state_space.hpp"

#include "core/builder/blocks.hpp"
#include "core/builder/inference.hpp"
#include "core/config/constraints.hpp"

namespace param_ledger {

void mamba_mixer(Builder& b, Text name, const MambaMixer& m) {
  require_positive(m.inner);
  b.scope(Part::state_space, name, [&] {
    const InBlock block(b, {Mechanism::mamba});
    linear(b, "in_proj", m.hidden, 2 * m.inner, m.projection_bias);
    depthwise_conv1d(b, "conv1d", m.inner, m.kernel, m.conv_bias);
    linear(b, "x_proj", m.inner, m.step_rank + 2 * m.state);
    linear(b, "dt_proj", m.step_rank, m.inner, true);
    b.parameter("A_log", {m.inner, m.state});
    b.parameter("D", {m.inner});
    if (m.norms) {
      rms_norm(b, "dt_layernorm", m.step_rank);
      rms_norm(b, "b_layernorm", m.state);
      rms_norm(b, "c_layernorm", m.state);
    }
    linear(b, "out_proj", m.inner, m.hidden, m.projection_bias);
    record_states(b, {m.inner, m.kernel}, {m.inner, m.state}, 1, Prompt::by_token);
  });
}

Mamba2Mixer mamba2_fields(Config c, Expr hidden, Expr inner) {
  const Expr heads = c.integer("mamba_n_heads", 128, 1),
             head_dim = c.integer("mamba_d_head", unless_auto.or_else(floor_divide(inner, heads)));
  const Expr groups = c.integer("mamba_n_groups", 1), state = c.integer("mamba_d_state", 256), kernel = c.integer("mamba_d_conv", 4);
  const bool conv_bias = c.flag("mamba_conv_bias", true, Null::allowed), bias = c.flag("mamba_proj_bias", false, Null::allowed);
  require_multiple(inner, heads);
  require_equal(head_dim * heads, inner);
  return {hidden, inner, heads, groups, state, kernel, conv_bias, bias};
}

void mamba2_mixer(Builder& b, Text name, const Mamba2Mixer& m) {
  if (m.norm) require_positive(m.groups);
  const Expr channels = m.inner + 2 * m.groups * m.state;
  require_positive(channels);
  b.scope(Part::state_space, name, [&] {
    const InBlock block(b, {Mechanism::mamba_2});
    linear(b, "in_proj", m.hidden, m.inner + channels + m.heads, m.projection_bias);
    depthwise_conv1d(b, "conv1d", channels, m.kernel, m.conv_bias);
    b.scope(m.scalars, [&] {
      for (const Text name : {"dt_bias", "A_log", "D"}) b.parameter(name, {m.heads});
    });
    if (m.norm) rms_norm(b, "norm", m.inner);
    linear(b, "out_proj", m.inner, m.hidden, m.output_bias);
    record_states(b, {channels, m.kernel}, {m.heads, floor_divide(m.inner, m.heads), m.state}, 1, Prompt::in_chunks);
  });
}

void short_convolution(Builder& b, Text name, Expr hidden, Expr kernel, bool bias) {
  require_positive(hidden);
  b.scope(Part::state_space, name, [&] {
    const InBlock block(b, {Mechanism::short_convolution});
    linear(b, "in_proj", hidden, 3 * hidden, bias);
    depthwise_conv1d(b, "conv", hidden, kernel, bias);
    linear(b, "out_proj", hidden, hidden, bias);
    record_cache(b, "conv_states.0", {hidden, kernel});
  });
}

GatedDelta gated_delta_fields(Config c, Expr hidden) {
  const Expr kernel = c.integer("linear_conv_kernel_dim", 4);
  const Expr key_heads = c.integer("linear_num_key_heads", 16), key_dim = c.integer("linear_key_head_dim", 128);
  const Expr value_heads = c.integer("linear_num_value_heads", 32), value_dim = c.integer("linear_value_head_dim", 128);
  return {hidden, kernel, key_heads, key_dim, value_heads, value_dim};
}

void gated_delta(Builder& b, Text name, const GatedDelta& m) {
  const Expr values = m.value_heads * m.value_dim, channels = 2 * (m.key_heads * m.key_dim) + values;
  require_positive(channels);
  b.scope(Part::state_space, name, [&] {
    const InBlock block(b, {Mechanism::gated_delta_net});
    if (m.fused) {
      linear(b, "in_proj_qkvz", m.hidden, channels + values);
      linear(b, "in_proj_ba", m.hidden, 2 * m.value_heads);
    } else {
      linear(b, "in_proj_qkv", m.hidden, channels);
      linear(b, "in_proj_z", m.hidden, values);
      linear(b, "in_proj_b", m.hidden, m.value_heads);
      linear(b, "in_proj_a", m.hidden, m.value_heads);
    }
    depthwise_conv1d(b, "conv1d", channels, m.kernel, false);
    b.parameter("dt_bias", {m.value_heads});
    b.parameter("A_log", {m.value_heads});
    rms_norm(b, "norm", m.value_dim);
    linear(b, "out_proj", values, m.hidden);
    record_states(b, {channels, m.kernel}, {m.value_heads, m.key_dim, m.value_dim}, 2, Prompt::in_chunks);
  });
}

void delta_attention(Builder& b, Text name, const DeltaAttention& m) {
  const Expr values = m.heads * m.head_dim, channels = 2 * m.key_width + values;
  // transformers fuses the three convolutions and saves them in equal parts, regardless of the widths of the projections. The last part may
  // be smaller.
  const Expr part = m.key_width == values ? values : ceil_divide(channels, b.pool().literal(3));
  const Expr last = is_multiple(channels, b.pool().literal(3)) ? part : channels - 2 * part;
  require_positive(last);
  b.scope(Part::state_space, name, [&] {
    const InBlock block(b, {m.mechanism});
    linear(b, "q_proj", m.hidden, m.key_width);
    linear(b, "k_proj", m.hidden, m.key_width);
    linear(b, "v_proj", m.hidden, values);
    depthwise_conv1d(b, "q_conv1d", part, m.kernel, false);
    depthwise_conv1d(b, "k_conv1d", part, m.kernel, false);
    depthwise_conv1d(b, "v_conv1d", last, m.kernel, false);
    linear(b, "b_proj", m.hidden, m.heads);
    rms_norm(b, "o_norm", m.head_dim);
    linear(b, m.output, values, m.hidden);
    if (b.inference() != nullptr)
      record_states(b, {channels, m.kernel}, {m.heads, floor_divide(m.key_width, m.heads), m.head_dim}, 2, Prompt::in_chunks);
  });
}

}  // namespace param_ledger
