// GPT-NeoX-Japanese: like GPT-NeoX, but with a head that is tied by default. The linear layers have no biases, except for the output
// projection of the last layer's attention. Source: transformers, models/gpt_neox_japanese.

#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2560), n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 32000);
  const Expr n = c.integer("num_attention_heads", 32, 1), f = c.integer("intermediate_multiple_size", 4) * d;
  const Tensor table = embedding(b, "embed_in", vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(n_layers), [&] {
    layer_norm(b, "input_layernorm", d);
    attention(b, "attention",
              {.hidden = d, .heads = n, .even_share = false, .scaled_by_head_dim = false, .fused = "query_key_value", .o = "dense"});
    layer_norm(b, "post_attention_layernorm", d);
    mlp(b, "mlp", d, f, false, "dense_h_to_4h", "dense_4h_to_h");
  });
  if (!is_zero(n_layers))
    b.repeat("layers", only(static_cast<std::uint64_t>(n_layers.peek()) - 1),
             [&] { b.part(Part::attention, [&] { b.parameter("attention.dense_bias", {d}); }); });
  layer_norm(b, "final_layer_norm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .language_model = "embed_out"};
}

}  // namespace

extern const Family gpt_neox_japanese{
    .model_type = "gpt_neox_japanese",
    .summary = "Like GPT-NeoX, nearly bias-free, with tied embeddings.",
    .classes = {"GPTNeoXJapanese", heads::decoder, "gpt_neox_japanese"},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
