// ModernBERT: an encoder with RoPE, pre-norm layers, fused gate and up projections, and local attention except, by default, in every third
// layer. Its decoder has separate query, key and value projections. Source: transformers, models/modernbert, modernbert_decoder.

#include "core/nn/text/modernbert.hpp"

#include "core/nn/heads.hpp"

namespace param_ledger {

namespace {

Norm norm_kind(Config c) { return c.flag("norm_bias", false) ? Norm::layer : Norm::unbiased; }

template <bool decodes>
BackboneOutput backbone(Config c, Builder& b) {
  return modernbert_layers(c, b, {768, 1152, 22, 50368, 12}, decodes);
}

/// Records the head: a projection and a norm, followed by the output layer. Depending on the model class, this predicts tokens, classes or
/// a score for each choice.
template <bool decodes>
void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head kind = b.architecture().head;
  if (kind == Head::none) return;
  const bool bias = c.flag("classifier_bias", false);
  b.scope(Part::output_head, kind == Head::causal_lm ? "lm_head" : "head", [&] {
    linear(b, "dense", m.hidden, m.hidden, bias);
    norm(b, norm_kind(c), "norm", m.hidden);
  });
  if (kind == Head::causal_lm || kind == Head::masked_lm) {
    BackboneOutput biased = m;
    biased.language_model_bias = c.flag("decoder_bias", true);
    language_model_head(c, b, biased);
  } else {
    const Expr labels = kind == Head::multiple_choice ? c.literal(1) : num_labels(c);
    b.part(Part::output_head, [&] { linear(b, "classifier", m.hidden, labels, !decodes || bias); });
  }
}

/// Whether a layer has a sliding window in a configuration without layer_types.
bool slides(Config c, std::size_t layer, std::size_t /*n_layers*/) {
  return layer % std::max<Count>(1, peeked(c, "global_attn_every_n_layers", 3)) != 0;
}

/// The number of tokens that the cache keeps in layers with a sliding window. local_attention counts the tokens in both directions.
Expr kept_window(Config c, Expr window) { return floor_divide(window, c.literal(2)); }

}  // namespace

extern const Family modernbert{
    .model_type = "modernbert",
    .summary = "Bidirectional encoder with RoPE, gated MLPs, and alternating local and global attention.",
    .classes = {"ModernBert", heads::encoder & ~heads::causal_lm},
    .backbone = backbone<false>,
    .head = head<false>,
};
extern const Family modernbert_decoder{
    .model_type = "modernbert-decoder",
    .summary = "ModernBERT as a causal decoder.",
    .classes = {"ModernBertDecoder", heads::decoder | heads::sequence},
    .backbone = backbone<true>,
    .head = head<true>,
    .cache =
        caches::windows({.layers = Window::Layers::listed, .size = 128, .field = "local_attention", .slides = slides, .kept = kept_window}),
};

}  // namespace param_ledger
