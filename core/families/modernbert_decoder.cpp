// ModernBERT as a decoder: pre-norm with a norm of the embeddings in place of the first layer's, gate and up in one projection.
// Source: transformers, models/modernbert_decoder.

#include "core/decoders.hpp"
#include "core/heads.hpp"

namespace param_ledger {

namespace {

Norm norm_kind(Config c) { return c.flag("norm_bias", false) ? Norm::layer : Norm::rms; }

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {768, 1152, 22, 50368, 12});
  const Expr d = s.d;
  const bool attention_bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Norm kind = norm_kind(c);
  require_positive(s.n_layers);
  Tensor table;
  b.scope("embeddings", [&] {
    table = embedding(b, "tok_embeddings", s.vocab, d);
    norm(b, kind, "norm", d);
  });
  b.repeat("layers", between(b.pool().literal(1), s.n_layers), [&] { norm(b, kind, "attn_norm", d); });
  b.repeat("layers", all(s.n_layers), [&] {
    attention(b, "attn", {.hidden = d, .heads = s.n, .qkv_bias = attention_bias, .output_bias = attention_bias, .o = "Wo"});
    norm(b, kind, "mlp_norm", d);
    fused_gated_mlp(b, "mlp", d, s.f, mlp_bias, "Wi", "Wo");
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

/// Where layer_types is missing.
bool slides(Config c, std::size_t layer, std::size_t) {
  return layer % std::max<Count>(1, peeked(c, "global_attn_every_n_layers", 3)) != 0;
}

/// The field counts both sides.
Expr kept_window(Config c, Expr window) { return floor_divide(window, c.literal(2)); }

}  // namespace

extern const Family modernbert_decoder{
    .model_type = "modernbert-decoder",
    .summary = "ModernBERT's layers as a decoder.",
    .classes = {"ModernBertDecoder", heads::decoder | heads::sequence},
    .backbone = backbone,
    .head = head,
    .cache =
        caches::windows({.layers = Window::Layers::listed, .size = 128, .field = "local_attention", .slides = slides, .kept = kept_window}),
};

}  // namespace param_ledger
