// ZAYA1: attention on compressed queries and keys that are mixed by two convolutions; a router with a three-layer MLP, which passes its
// state to the next layer's router; scales and biases on the residual stream. Source: transformers, models/zaya.

#include "core/builder/inference.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

struct Heads {
  Expr hidden, heads, kv_heads, head_dim, depthwise_kernel, grouped_kernel;
  bool bias;
};

/// Records attention on compressed queries, keys and values. Convolutions mix queries and keys along the sequence.
void compressed_attention(Builder& b, const Heads& a) {
  const Expr q_width = a.heads * a.head_dim, kv_width = a.kv_heads * a.head_dim, channels = q_width + kv_width;
  b.scope(Part::attention, "self_attn", [&] {
    b.scope("qkv_proj", [&] {
      linear(b, "q_proj", a.hidden, q_width, a.bias, TensorRole::query);
      linear(b, "k_proj", a.hidden, kv_width, a.bias, TensorRole::key);
      linear(b, "v_proj_current", a.hidden, floor_divide(kv_width, b.pool().literal(2)), a.bias);
      linear(b, "v_proj_delayed", a.hidden, floor_divide(kv_width, b.pool().literal(2)), a.bias);
      depthwise_conv1d(b, "conv_qk_depthwise", channels, a.depthwise_kernel, true);
      convolution(b, "conv_qk_grouped", a.head_dim, channels, {a.grouped_kernel});  // one group for each head
    });
    linear(b, "o_proj", q_width, a.hidden, a.bias, TensorRole::output);
    b.parameter("qk_norm.temp", {a.kv_heads});
    if (b.inference() == nullptr) return;
    record_attention(b, {a.heads, a.kv_heads, a.head_dim});
    record_cache(b, "conv_states.0", {channels, a.depthwise_kernel + a.grouped_kernel - 2});
    const Expr delayed = floor_divide(kv_width, b.pool().literal(2));
    record_cache(b, "recurrent_states.0", {delayed});
    record_prompt_macs(b, a.hidden * delayed);  // the zeros before the first token are projected, too
  });
}

void router(Builder& b, Expr d, Expr inner, Expr n_classes) {
  b.scope(Part::router, "mlp.gate", [&] {
    linear(b, "down_proj", d, inner, true);
    rms_norm(b, "router_mlp.norm", inner);
    linear(b, "router_mlp.fc1", inner, inner, true);
    linear(b, "router_mlp.fc2", inner, inner, true);
    linear(b, "router_mlp.out_proj", inner, n_classes, false, TensorRole::router);
    b.buffer("balancing_biases", {n_classes});
  });
}

void residual_scale(Builder& b, Text name, Expr d) {
  b.scope(Part::norm, name, [&] {
    const InBlock block(b, {Mechanism::residual_weights});
    for (const Text part : {"hidden_states_scale", "hidden_states_bias", "residual_scale", "residual_bias"}) b.parameter(part, {d});
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {.hidden = 2048, .layers = 40, .vocabulary = 262272, .heads = 8});
  const Expr d = s.d, n_kv = c.integer("num_key_value_heads", 2, 1), h = c.integer("head_dim", 128);
  const Expr t0 = c.integer("cca_time0", 2), t1 = c.integer("cca_time1", 2);
  const Heads heads{d, s.n, n_kv, h, t0, t1, c.flag("attention_bias", false)};
  const Mixture experts =
      mixture_fields(c, d, {.count = 16, .active = 1, .inner = 2048, .count_field = "num_experts"}, {.layout = ExpertLayout::stacked});
  const Expr r = c.integer("router_hidden_size", 256);
  const bool head_bias = c.flag("lm_head_bias", false);
  if (experts.active.decide() != 1)
    c.refuse(ErrorCode::unsupported, "num_experts_per_tok", "must be 1: transformers supports no other value.");
  require_multiple(s.n, n_kv);

  b.part(Part::embedding, [&] {
    b.parameter("input_hidden_states_scale", {d});
    b.parameter("input_hidden_states_bias", {d});
  });
  BackboneOutput out = decoder(b, s.vocab, d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      compressed_attention(b, heads);
      residual_scale(b, "post_attention_residual_scale", d);
      rms_norm(b, "post_attention_layernorm", d);
      router(b, d, r, experts.count + 1);  // one additional class stands for no expert
      b.scope("mlp", [&] { routed_experts(b, experts); });
      residual_scale(b, "post_mlp_residual_scale", d);
    });
    b.repeat("layers", between(c.literal(1), s.n_layers),
             [&] { b.part(Part::router, [&] { b.parameter("mlp.gate.router_states_scale", {r}); }); });
  });
  out.tie_by_default = true;
  out.language_model_bias = head_bias;
  return out;
}

}  // namespace

extern const Family zaya{
    .model_type = "zaya",
    .summary = "Compressed convolutional attention, mixture of experts in each layer, scaled residuals.",
    .classes = {"Zaya", heads::decoder},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
