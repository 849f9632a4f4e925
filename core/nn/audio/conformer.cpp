#include "core/nn/audio/conformer.hpp"

#include "core/builder/blocks.hpp"
#include "core/config/constraints.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

void clippable_linear(Builder& b, Text name, Expr in, Expr out, bool clipped, TensorRole role) {
  b.scope(name, [&] {
    linear(b, "linear", in, out, false, role);
    if (clipped)
      for (const Text limit : {"input_min", "input_max", "output_min", "output_max"}) b.buffer(limit, {});
  });
}

void conformer_linear(Builder& b, const Conformer& m, Text name, Expr in, Expr out, TensorRole role) {
  if (m.wrapped)
    clippable_linear(b, name, in, out, m.clipped, role);
  else
    linear(b, name, in, out, false, role);
}

void conformer_feed_forward(Builder& b, Text name, const Conformer& m) {
  b.scope(Part::feed_forward, name, [&] {
    rms_norm(b, "pre_layer_norm", m.hidden);
    conformer_linear(b, m, "ffw_layer_1", m.hidden, 4 * m.hidden);
    conformer_linear(b, m, "ffw_layer_2", 4 * m.hidden, m.hidden);
    rms_norm(b, "post_layer_norm", m.hidden);
  });
}

void conformer_attention(Builder& b, const Conformer& m, Text positions) {
  const Expr head_dim = floor_divide(m.hidden, m.heads);
  require_positive(head_dim);
  const Expr width = m.heads * head_dim;
  conformer_linear(b, m, "q_proj", m.hidden, width, TensorRole::query);
  conformer_linear(b, m, "k_proj", m.hidden, width, TensorRole::key);
  conformer_linear(b, m, "v_proj", m.hidden, width, TensorRole::value);
  linear(b, positions, m.hidden, width);
  b.parameter("per_dim_scale", {head_dim});
}

void conformer_convolution(Builder& b, const Conformer& m) {
  b.scope(Part::feed_forward, "lconv1d", [&] {
    rms_norm(b, "pre_layer_norm", m.hidden);
    conformer_linear(b, m, "linear_start", m.hidden, 2 * m.hidden);
    depthwise_conv1d(b, "depthwise_conv1d", m.hidden, m.kernel, false);
    rms_norm(b, "conv_norm", m.hidden);
    conformer_linear(b, m, "linear_end", m.hidden, m.hidden);
  });
}

void subsampling(Builder& b, const Subsampling& m, Expr hidden) {
  b.scope(Part::embedding, "subsample_conv_projection", [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    b.scope(m.name_1, [&] {
      convolution(b, "conv", b.pool().literal(1), m.first, {m.kernel_1[0], m.kernel_1[1]}, false);
      norm(b, m.norm, "norm", m.first);
    });
    b.scope(m.name_2, [&] {
      convolution(b, "conv", m.first, m.second, {m.kernel_2[0], m.kernel_2[1]}, false);
      norm(b, m.norm, "norm", m.second);
    });
    linear(b, "input_proj_linear", m.bands * m.second, hidden);
  });
}

ChannelPair channel_pair(Config c, Text field, std::int64_t first, std::int64_t second) {
  if (c.peek(field).is_null()) c.refuse(ErrorCode::wrong_type, field, "must be a list of two integers.");
  const auto given = c.integers(field, {first, second});
  if (given.size() != 2 || given[0] < 0 || given[1] < 0)
    c.refuse(ErrorCode::out_of_range, field, "must contain the channels of two convolutions.");
  const auto channels = [&](std::size_t i) {
    return c.count(concat({field, "[", digits(i), "]"}), concat({"c_", digits(i)}), "Channels of a convolution over the spectrogram.",
                   static_cast<Count>(given[i]));
  };
  return {channels(0), channels(1)};
}

}  // namespace param_ledger
