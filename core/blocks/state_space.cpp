#include "core/blocks/state_space.hpp"

#include "core/config.hpp"

namespace param_ledger {

void mamba_mixer(Builder& b, std::string_view name, const MambaMixer& m) {
  require_positive(m.inner);
  b.scope(Part::state_space, name, [&] {
    linear(b, "in_proj", m.hidden, 2 * m.inner, m.projection_bias);
    depthwise_conv1d(b, "conv1d", m.inner, m.kernel, m.conv_bias);
    linear(b, "x_proj", m.inner, m.step_rank + 2 * m.state);
    linear(b, "dt_proj", m.step_rank, m.inner, true);
    b.parameter("A_log", {m.inner, m.state});
    b.parameter("D", {m.inner});
    linear(b, "out_proj", m.inner, m.hidden, m.projection_bias);
  });
}

void mamba2_mixer(Builder& b, std::string_view name, const Mamba2Mixer& m) {
  require_positive(m.groups);
  const Expr channels = m.inner + 2 * m.groups * m.state;
  require_positive(channels);
  b.scope(Part::state_space, name, [&] {
    linear(b, "in_proj", m.hidden, m.inner + channels + m.heads, m.projection_bias);
    depthwise_conv1d(b, "conv1d", channels, m.kernel, m.conv_bias);
    b.parameter("dt_bias", {m.heads});
    b.parameter("A_log", {m.heads});
    b.parameter("D", {m.heads});
    rms_norm(b, "norm", m.inner);
    linear(b, "out_proj", m.inner, m.hidden, m.projection_bias);
  });
}

}  // namespace param_ledger
