#include "core/nn/text/modernbert.hpp"

#include "core/config/constraints.hpp"

namespace param_ledger {

BackboneOutput modernbert_layers(Config c, Builder& b, const DecoderDefaults& sizes, bool decodes) {
  const DecoderSizes s = decoder_sizes(c, sizes);
  const Expr d = s.d;
  const bool attention_bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Norm kind = c.flag("norm_bias", false) ? Norm::layer : Norm::unbiased;
  if (decodes) require_positive(s.n_layers);
  Tensor table;
  b.scope("embeddings", [&] {
    table = embedding(b, "tok_embeddings", s.vocab, d, TensorRole::token_embedding);
    norm(b, kind, "norm", d);
  });
  if (s.n_layers.decide() > 1) b.repeat("layers", between(b.pool().literal(1), s.n_layers), [&] { norm(b, kind, "attn_norm", d); });
  b.repeat("layers", all(s.n_layers), [&] {
    attention(b, "attn",
              {.hidden = d,
               .heads = s.n,
               .qkv_bias = attention_bias,
               .output_bias = attention_bias,
               .scaled_by_head_dim = decodes,
               .fused = decodes ? "" : "Wqkv",
               .o = "Wo"});
    norm(b, kind, "mlp_norm", d);
    fused_gated_mlp(b, "mlp", d, s.f, mlp_bias, "Wi", "Wo");
  });
  norm(b, kind, "final_norm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .language_model = "decoder"};
}

}  // namespace param_ledger
