// Gemma 3, text: as Llama, with norms after attention and feed-forward as well as before, and on query and key heads.
// Source: transformers, models/gemma3.

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"Gemma3ForCausalLM", Head::causal_lm, "model"},
    {"Gemma3TextModel", Head::none, ""},
    {"Gemma3TextForSequenceClassification", Head::sequence_classification, "model"},
};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2304), f = c.integer("intermediate_size", 9216);
  const Expr n_layers = c.integer("num_hidden_layers", 26), vocab = c.integer("vocab_size", 262208);
  const Expr n = c.integer("num_attention_heads", 8, 1), n_kv = c.integer("num_key_value_heads", 4);
  const Expr h = c.integer("head_dim", 256);
  const bool bias = c.flag("attention_bias", false);
  require_multiple("hidden_size", d, n);

  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embed_tokens", vocab, d);
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      // Scores are scaled by query_pre_attn_scalar.
      attention(b, "self_attn",
                {.hidden = d,
                 .heads = n,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .qkv_bias = bias,
                 .output_bias = bias,
                 .head_norms = true,
                 .scaled_by_head_dim = false});
      rms_norm(b, "post_attention_layernorm", d);
      rms_norm(b, "pre_feedforward_layernorm", d);
      gated_mlp(b, "mlp", d, f);
      rms_norm(b, "post_feedforward_layernorm", d);
    });
    rms_norm(b, "norm", d);
  });
  decoder_head(c, b, {.hidden = d, .vocabulary = vocab, .tie_by_default = true});
}

}  // namespace

const Family gemma3_text{"gemma3_text", "Norms before and after each block and on query and key heads; tied head.", classes, {}, record};

}  // namespace param_ledger
