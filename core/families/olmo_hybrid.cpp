// OLMo Hybrid: gated delta nets with norms before, every fourth layer attention as OLMo 2's, with norms after.
// Source: transformers, models/olmo_hybrid.

#include "core/blocks/state_space.hpp"
#include "core/decoders.hpp"
#include "core/families.hpp"
#include "core/layer_kinds.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const auto [d, f, n_layers, vocab, n] = decoder_sizes(c, {3840, 11008, 32, 100352, 30});
  const Expr n_kv = c.integer("num_key_value_heads", n), h = c.attribute("head_dim", floor_divide(d, n));
  const bool bias = c.flag("attention_bias", false);
  const Expr key_heads = c.integer("linear_num_key_heads", n, 1), value_heads = c.integer("linear_num_value_heads", n);
  const Expr key_dim = c.integer("linear_key_head_dim", floor_divide(3 * d, 4 * key_heads));
  const Expr value_dim = c.integer("linear_value_head_dim", 2 * key_dim), kernel = c.integer("linear_conv_kernel_dim", 4);
  const Split layers =
      linear_layers(c, n_layers, [&](std::uint64_t i) { return i % 4 == 3 || (n_layers.value() < 4 && i + 1 == n_layers.value()); });
  if (layers.in.empty() || layers.out.empty()) c.refuse(ErrorCode::inconsistent, "layer_types", "must have layers of both kinds.");

  // transformers keeps one convolution for all, and writes it as three of equal size.
  const Expr channels = 2 * (key_heads * key_dim) + value_heads * value_dim, third = floor_divide(channels, c.literal(3));
  require_multiple(channels, c.literal(3));
  const DeltaAttention delta{
      .hidden = d, .kernel = kernel, .heads = value_heads, .head_dim = value_dim, .key_width = key_heads * key_dim, .convolution = third};
  return decoder(b, vocab, d, [&, f = f, n = n, d = d] {
    b.repeat("layers", layers.in, [&] {
      rms_norm(b, "attention_layer_norm", d);
      delta_attention(b, "linear_attn", delta, [&] {
        linear(b, "a_proj", d, value_heads);
        b.parameter("A_log", {value_heads});
        b.parameter("dt_bias", {value_heads});
        linear(b, "g_proj", d, value_heads * value_dim);
      });
    });
    b.repeat("layers", layers.out, [&] {
      attention(b, "self_attn",
                {.hidden = d,
                 .heads = n,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .qkv_bias = bias,
                 .output_bias = bias,
                 .head_norms = HeadNorms::whole});
      rms_norm(b, "post_feedforward_layernorm", d);
    });
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "feedforward_layer_norm", d);
      gated_mlp(b, "mlp", d, f);
    });
  });
}

}  // namespace

const Family olmo_hybrid{
    "olmo_hybrid", "Gated delta nets and, every fourth layer, attention with norms after.", {"OlmoHybrid", heads::decoder}, {}, backbone};

}  // namespace param_ledger
