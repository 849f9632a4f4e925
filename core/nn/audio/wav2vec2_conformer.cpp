#include "core/nn/audio/wav2vec2_conformer.hpp"

#include "core/config/constraints.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

void feed_forward(Builder& b, Text name, const SpeechConformer& m) {
  mlp(b, name, m.hidden, m.inner, true, "intermediate_dense", "output_dense");
}

void convolution_module(Builder& b, const SpeechConformer& m) {
  b.scope(Part::convolution, "conv_module", [&] {
    layer_norm(b, "layer_norm", m.hidden);
    conv1d(b, "pointwise_conv1", m.hidden, 2 * m.hidden, 1, false);
    depthwise_conv1d(b, "depthwise_conv", m.hidden, m.kernel, false);
    if (m.batch_norm)
      batch_norm(b, "batch_norm", m.hidden);
    else
      layer_norm(b, "depthwise_layer_norm", m.hidden);
    conv1d(b, "pointwise_conv2", m.hidden, m.hidden, 1, false);
  });
}

}  // namespace

Expr conformer_kernel(Config c, Expr n_layers) {
  const Expr kernel = c.integer("conv_depthwise_kernel_size", 31);
  if (n_layers.decide() > 0 && kernel.decide() % 2 == 0) c.refuse(ErrorCode::out_of_range, "conv_depthwise_kernel_size", "must be odd.");
  return kernel;
}

void speech_attention(Builder& b, const SpeechConformer& m) {
  const Expr head_dim = floor_divide(m.hidden, m.heads);
  require_positive(head_dim);
  b.scope(Part::attention, "self_attn", [&] {
    linear(b, "linear_q", m.hidden, m.hidden, true, TensorRole::query);
    linear(b, "linear_k", m.hidden, m.hidden, true, TensorRole::key);
    linear(b, "linear_v", m.hidden, m.hidden, true, TensorRole::value);
    linear(b, "linear_out", m.hidden, m.hidden, true, TensorRole::output);
    if (m.relative) {
      linear(b, "linear_pos", m.hidden, m.hidden);
      for (const Text name : {"pos_bias_u", "pos_bias_v"}) b.parameter(name, {m.heads, head_dim});
    }
    if (m.distances) table(b, "distance_embedding", m.distances, head_dim);
  });
}

void speech_conformer_layers(Builder& b, const SpeechConformer& m, Expr n_layers) {
  b.repeat("layers", all(n_layers), [&] {
    layer_norm(b, "ffn1_layer_norm", m.hidden);
    feed_forward(b, "ffn1", m);
    layer_norm(b, "self_attn_layer_norm", m.hidden);
    speech_attention(b, m);
    convolution_module(b, m);
    layer_norm(b, "ffn2_layer_norm", m.hidden);
    feed_forward(b, "ffn2", m);
    layer_norm(b, "final_layer_norm", m.hidden);
  });
}

void speech_adapter_layers(Builder& b, const SpeechConformer& m, Expr kernel, Expr n_layers) {
  b.repeat("layers", all(n_layers), [&] {
    for (const Text name : {"residual", "self_attn"}) {
      layer_norm(b, concat({name, "_layer_norm"}), m.hidden);
      b.part(Part::adapter, [&] { conv1d(b, concat({name, "_conv"}), m.hidden, 2 * m.hidden, kernel); });
    }
    speech_attention(b, {.hidden = m.hidden, .inner = m.inner, .heads = m.heads, .kernel = {}});
    layer_norm(b, "ffn_layer_norm", m.hidden);
    feed_forward(b, "ffn", m);
  });
}

void rotary_frequencies(Builder& b, Expr hidden, Expr heads) {
  const Expr head_dim = floor_divide(hidden, heads);
  require_positive(head_dim);
  b.part(Part::attention, [&] { b.buffer("embed_positions.inv_freq", {ceil_divide(head_dim, b.pool().literal(2))}); });
}

}  // namespace param_ledger
