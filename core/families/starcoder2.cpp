// StarCoder2, Jais 2 and nanochat: grouped-query decoders with a two-matrix feed-forward block. The first two have biases and
// layer norms; nanochat's norms have no parameters.
// Source: transformers, models/starcoder2, models/jais2 and models/nanochat.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

struct Decoder {
  DecoderSizes sizes;
  Expr kv_heads, head_dim;
  bool attention_bias, mlp_bias = false;
  std::string_view up, down;
  Norm norm_kind = Norm::layer;
};

Backbone record(Builder& b, const Decoder& m) {
  const auto& [d, f, n_layers, vocab, n] = m.sizes;
  const auto layer = [&] {
    norm(b, m.norm_kind, "input_layernorm", d);
    attention(b, "self_attn",
              {.hidden = d,
               .heads = n,
               .kv_heads = m.kv_heads,
               .head_dim = m.head_dim,
               .qkv_bias = m.attention_bias,
               .output_bias = m.attention_bias});
    norm(b, m.norm_kind, "post_attention_layernorm", d);
    mlp(b, "mlp", d, f, m.mlp_bias, m.up, m.down);
  };
  return decoder(
      b, vocab, d, [&] { b.repeat("layers", all(n_layers), layer); }, m.norm_kind);
}

Backbone starcoder2_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {3072, 12288, 30, 49152, 24});
  const Expr n_kv = c.integer("num_key_value_heads", 2), h = head_dim_or_share(c, s.d, s.n);
  const bool bias = c.flag("use_bias", true);
  Backbone out = record(b, {s, n_kv, h, bias, bias, "c_fc", "c_proj"});
  out.tie_by_default = true;
  return out;
}

Backbone jais2_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {3328, 26624, 32, 150272, 26});
  const Expr n_kv = c.integer("num_key_value_heads", s.n), h = c.integer("head_dim", floor_divide(s.d, s.n));
  const bool attention_bias = c.flag("attention_bias", true), mlp_bias = c.flag("mlp_bias", true);
  require_multiple(s.d, s.n);
  return record(b, {s, n_kv, h, attention_bias, mlp_bias, "up_proj", "down_proj"});
}

Backbone nanochat_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {768, 8192, 12, 50304, 6});
  const Expr n_kv = c.integer("num_key_value_heads", s.n), h = c.attribute("head_dim", floor_divide(s.d, s.n));
  const bool bias = c.flag("attention_bias", false);
  return record(b, {s, n_kv, h, bias, false, "fc1", "fc2", Norm::none});
}

}  // namespace

const Family jais2{
    "jais2", "As StarCoder2, with a head size of its own and an untied head.", {"Jais2", heads::decoder}, {}, jais2_backbone};
const Family nanochat{
    "nanochat", "As StarCoder2, without biases; its norms have no parameters.", {"NanoChat", heads::decoder}, {}, nanochat_backbone};
const Family starcoder2{"starcoder2",
                        "Grouped-query attention, two-matrix feed-forward, biases, layer norms, tied head.",
                        {"Starcoder2", heads::decoder | heads::sequence | heads::token},
                        {},
                        starcoder2_backbone};

}  // namespace param_ledger
