// ModernBERT, and the same as a decoder: pre-norm with a norm of the embeddings in place of the first layer's, gate and up in one
// projection.
// Source: transformers, models/modernbert, modernbert_decoder.

#include "core/decoders.hpp"
#include "core/heads.hpp"

namespace param_ledger {

namespace {

Norm norm_kind(Config c) { return c.flag("norm_bias", false) ? Norm::layer : Norm::rms; }

template <bool decodes>
Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {768, 1152, 22, 50368, 12});
  const Expr d = s.d;
  const bool attention_bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Norm kind = norm_kind(c);
  if (decodes) require_positive(s.n_layers);
  Tensor table;
  b.scope("embeddings", [&] {
    table = embedding(b, "tok_embeddings", s.vocab, d);
    norm(b, kind, "norm", d);
  });
  if (s.n_layers.value() > 1) b.repeat("layers", between(b.pool().literal(1), s.n_layers), [&] { norm(b, kind, "attn_norm", d); });
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

/// A projection and a norm, and what each class has behind them.
template <bool decodes>
void head(Config c, Builder& b, const Backbone& m) {
  const Head kind = b.architecture().head;
  if (kind == Head::none) return;
  const bool bias = c.flag("classifier_bias", false);
  b.scope(Part::output_head, kind == Head::causal_lm ? "lm_head" : "head", [&] {
    linear(b, "dense", m.hidden, m.hidden, bias);
    norm(b, norm_kind(c), "norm", m.hidden);
  });
  if (kind == Head::causal_lm || kind == Head::masked_lm) {
    Backbone biased = m;
    biased.language_model_bias = c.flag("decoder_bias", true);
    language_model_head(c, b, biased);
  } else {
    const Expr labels = kind == Head::multiple_choice ? c.literal(1) : num_labels(c);
    b.part(Part::output_head, [&] { linear(b, "classifier", m.hidden, labels, !decodes || bias); });
  }
}

/// Where layer_types is missing.
bool slides(Config c, std::size_t layer, std::size_t) {
  return layer % std::max<Count>(1, peeked(c, "global_attn_every_n_layers", 3)) != 0;
}

/// The field counts both sides.
Expr kept_window(Config c, Expr window) { return floor_divide(window, c.literal(2)); }

}  // namespace

extern const Family modernbert{
    .model_type = "modernbert",
    .summary = "Encoder with rotary positions, gated feed-forward and windows in most layers.",
    .classes = {"ModernBert", heads::encoder & ~heads::causal_lm},
    .backbone = backbone<false>,
    .head = head<false>,
};
extern const Family modernbert_decoder{
    .model_type = "modernbert-decoder",
    .summary = "ModernBERT's layers as a decoder.",
    .classes = {"ModernBertDecoder", heads::decoder | heads::sequence},
    .backbone = backbone<true>,
    .head = head<true>,
    .cache =
        caches::windows({.layers = Window::Layers::listed, .size = 128, .field = "local_attention", .slides = slides, .kept = kept_window}),
};

}  // namespace param_ledger
