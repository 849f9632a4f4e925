// GPT-NeoX and Pythia: a fused query, key and value projection, an ungated feed-forward block with biases, and RoPE.
// Source: transformers, models/gpt_neox.

#include "core/builder/inference.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/legacy_buffers.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {6144, 24576, 44, 50432, 64});
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  const bool bias = c.flag("attention_bias", true);
  const Expr positions = c.integer("max_position_embeddings", 2048);
  const Expr rotary = c.scaled("rotary_pct", 0.25, floor_divide(d, n), "rotary_dim", "h_r");
  require_multiple(d, n);
  const Tensor table = embedding(b, "embed_in", vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(n_layers), [&] {
    require_positive(d);
    layer_norm(b, "input_layernorm", d);
    b.scope(Part::attention, "attention", [&] {
      linear(b, "query_key_value", d, 3 * d, bias, TensorRole::query_key_value);
      linear(b, "dense", d, d, bias, TensorRole::output);
      record_attention(b, {n, n, floor_divide(d, n)});
    });
    legacy_causal_mask(b, "attention", positions);
    legacy_frequencies(b, "attention.rotary_emb", rotary);
    layer_norm(b, "post_attention_layernorm", d);
    mlp(b, "mlp", d, f, true, "dense_h_to_4h", "dense_4h_to_h");
  });
  layer_norm(b, "final_layer_norm", d);
  return {.hidden = d, .embedding = table, .language_model = "embed_out", .token_classifier = "classifier"};
}

}  // namespace

extern const Family gpt_neox{
    .model_type = "gpt_neox",
    .summary = "Multi-head attention with RoPE, fused QKV projection, ungated MLP, biases.",
    .classes = {"GPTNeoX", heads::all, "gpt_neox"},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
