// Phi 1 and 2: attention and two-matrix feed-forward side by side behind one norm, biases everywhere, in the head too.
// Source: transformers, models/phi.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 8192, 24, 51200, 32});
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  const Expr n_kv = c.integer("num_key_value_heads", n), share = floor_divide(d, n), h = c.attribute("head_dim", share);
  const bool head_norms = c.flag("qk_layernorm", false);
  Backbone out = decoder(
      b, vocab, d,
      [&] {
        b.repeat("layers", all(n_layers), [&] {
          layer_norm(b, "input_layernorm", d);
          attention(b, "self_attn",
                    {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = true, .output_bias = true, .o = "dense"});
          // As wide as a head's share, whatever head_dim says.
          if (head_norms)
            for (const std::string_view name : {"self_attn.q_layernorm", "self_attn.k_layernorm"}) layer_norm(b, name, share);
          mlp(b, "mlp", d, f, true, "fc1", "fc2");
        });
      },
      Norm::layer, "final_layernorm");
  out.language_model_bias = true;
  return out;
}

}  // namespace

const Family phi{"phi",
                 "Attention and two-matrix feed-forward side by side behind one norm; biases everywhere.",
                 {"Phi", heads::decoder | heads::sequence | heads::token},
                 {},
                 backbone};

}  // namespace param_ledger
