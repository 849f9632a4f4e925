// SEW: like wav2vec 2.0, but the sequence is shortened before the layers and upsampled after them. SEW-D has DeBERTa's layers. Source:
// transformers, models/sew, sew_d.

#include "core/nn/audio/wav2vec2.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/deberta.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

void sew_layers(Builder& b, const Deberta& m) {
  const Expr d = m.hidden;
  layer_norm(b, "layer_norm", d);
  b.repeat("layers", all(m.n_layers), [&] {
    attention(b, "attention", {.hidden = d, .heads = m.heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"});
    layer_norm(b, "layer_norm", d);
    mlp(b, "feed_forward", d, m.inner, true, "intermediate_dense", "output_dense");
    layer_norm(b, "final_layer_norm", d);
  });
}

template <bool deberta>
BackboneOutput backbone(Config c, Builder& b) {
  Deberta m;
  const Expr d = m.hidden = c.integer("hidden_size", 768);
  m.inner = c.integer("intermediate_size", 3072);
  m.n_layers = c.integer("num_hidden_layers", 12);
  m.heads = c.integer("num_attention_heads", 12, 1);
  const Expr squeezed = c.integer("squeeze_factor", 2);
  const Expr kernel = c.integer("num_conv_pos_embeddings", 128), groups = c.integer("num_conv_pos_embedding_groups", 16, 1);
  if constexpr (deberta) {
    m.positions = c.integer("max_position_embeddings", 512);
    m = deberta_fields(c, m, {.relative = true, .shared_keys = true, .both_ways = true, .buckets = 256, .norm = "layer_norm"});
  }

  const Expr width = waveform_convolutions(c, b, {.squeezed = true});
  layer_norm(b, "layer_norm", width);
  b.part(Part::embedding, [&] {
    if (width.decide() != d.decide()) linear(b, "feature_projection", width, d, true);
    if (has_masked_spec_embed(c)) b.parameter("masked_spec_embed", {d});
  });
  b.scope("encoder", [&] {
    b.scope("pos_conv_embed", [&] { positional_convolution(b, d, kernel, groups); });
    if constexpr (deberta)
      deberta_layers(b, m);
    else
      sew_layers(b, m);
    b.part(Part::output_head, [&] { linear(b, "upsample.projection", d, d * squeezed, true); });
  });
  return {.hidden = d};
}

constexpr unsigned classes = heads::ctc | heads::base | heads::sequence;

}  // namespace

extern const Family sew{
    .model_type = "sew",
    .summary = "Like wav2vec 2.0, with transformer layers on a downsampled sequence.",
    .classes = {"SEW", classes, "sew"},
    .backbone = backbone<false>,
    .head = speech_head,
};
extern const Family sew_d{
    .model_type = "sew-d",
    .summary = "Like SEW, with DeBERTa's disentangled attention.",
    .classes = {"SEWD", classes, "sew_d"},
    .backbone = backbone<true>,
    .head = speech_head,
};

}  // namespace param_ledger
