// Gemma 3, text: as Llama, with norms after attention and feed-forward as well as before, and on query and key heads.
// Source: transformers, models/gemma3.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"Gemma3ForCausalLM", Head::causal_lm, "model"},
    {"Gemma3TextModel", Head::none, ""},
    {"Gemma3TextForSequenceClassification", Head::sequence_classification, "model"},
};

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2304, 9216, 26, 262208, 8});
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  const Expr n_kv = c.integer("num_key_value_heads", 4), h = c.integer("head_dim", 256);
  const bool bias = c.flag("attention_bias", false);
  require_multiple(d, n);
  Backbone out = decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn",
                {.hidden = d,
                 .heads = n,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .qkv_bias = bias,
                 .output_bias = bias,
                 .head_norms = HeadNorms::per_head,
                 .scaled_by_head_dim = false});  // but by query_pre_attn_scalar
      rms_norm(b, "post_attention_layernorm", d);
      rms_norm(b, "pre_feedforward_layernorm", d);
      gated_mlp(b, "mlp", d, f);
      rms_norm(b, "post_feedforward_layernorm", d);
    });
  });
  out.tie_by_default = true;
  return out;
}

}  // namespace

const Family gemma3_text{
    "gemma3_text", "Norms before and after each block and on query and key heads; tied head.", {.listed = classes}, {}, backbone};

}  // namespace param_ledger
