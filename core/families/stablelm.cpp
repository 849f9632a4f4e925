// StableLM: as Llama, with layer norms; optionally with biases on query, key and value, with a norm of its own for each head,
// or with attention and feed-forward side by side.
// Source: transformers, models/stablelm.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2560, 6912, 32, 50304, 32});
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  const Expr n_kv = c.integer("num_key_value_heads", 32);
  const bool qkv_bias = c.flag("use_qkv_bias", false), head_norms = c.flag("qk_layernorm", false);
  const bool parallel = c.flag("use_parallel_residual", false);
  const auto norms_of = [&](std::string_view name, Expr heads) {
    b.repeat(name, all(heads), [&] { rms_norm(b, "", floor_divide(d, n)); });  // layer norms without bias
  };
  return decoder(
      b, vocab, d,
      [&] {
        b.repeat("layers", all(n_layers), [&] {
          layer_norm(b, "input_layernorm", d);
          attention(b, "self_attn", {.hidden = d, .heads = n, .kv_heads = n_kv, .qkv_bias = qkv_bias});
          if (head_norms) {
            norms_of("self_attn.q_layernorm.norms", n);
            norms_of("self_attn.k_layernorm.norms", n_kv);
          }
          if (!parallel) layer_norm(b, "post_attention_layernorm", d);
          gated_mlp(b, "mlp", d, f);
        });
      },
      Norm::layer);
}

}  // namespace

const Family stablelm{
    "stablelm", "As Llama, with layer norms.", {"StableLm", heads::decoder | heads::sequence | heads::token}, {}, backbone};

}  // namespace param_ledger
