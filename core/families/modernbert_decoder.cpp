// ModernBERT as a decoder: pre-norm with a norm of the embeddings in place of the first layer's, gate and up in one projection.
// Source: transformers, models/modernbert_decoder.

#include "core/decoders.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"

namespace param_ledger {

namespace {

Norm norm_kind(Config c) { return c.flag("norm_bias", false) ? Norm::layer : Norm::rms; }

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {768, 1152, 22, 50368, 12});
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  const bool attention_bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Norm kind = norm_kind(c);
  Tensor table;
  b.scope("embeddings", [&] {
    table = embedding(b, "tok_embeddings", vocab, d);
    norm(b, kind, "norm", d);
  });
  b.repeat("layers", between(b.pool().literal(1), n_layers), [&] { norm(b, kind, "attn_norm", d); });
  b.repeat("layers", all(n_layers), [&] {
    require_multiple(d, n);
    require_positive(d);
    b.scope(Part::attention, "attn", [&] {
      for (const std::string_view name : {"q_proj", "k_proj", "v_proj", "Wo"}) linear(b, name, d, d, attention_bias);
    });
    norm(b, kind, "mlp_norm", d);
    fused_gated_mlp(b, "mlp", d, f, mlp_bias, "Wi", "Wo");
  });
  norm(b, kind, "final_norm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .language_model = "decoder"};
}

/// A projection and a norm, and what each class has behind them.
void head(Config c, Builder& b, const Backbone& m) {
  const Head kind = b.architecture().head;
  if (kind == Head::none) return;
  const bool bias = c.flag("classifier_bias", false);
  b.scope(Part::output_head, kind == Head::causal_lm ? "lm_head" : "head", [&] {
    linear(b, "dense", m.hidden, m.hidden, bias);
    norm(b, norm_kind(c), "norm", m.hidden);
  });
  if (kind == Head::causal_lm) {
    Backbone biased = m;
    biased.language_model_bias = c.flag("decoder_bias", true);
    decoder_head(c, b, biased);
  } else {
    b.part(Part::output_head, [&] { linear(b, "classifier", m.hidden, num_labels(c), bias); });
  }
}

}  // namespace

const Family modernbert_decoder{
    "modernbert-decoder", "ModernBERT's layers as a decoder.", {"ModernBertDecoder", heads::decoder | heads::sequence}, {}, backbone, head};

}  // namespace param_ledger
