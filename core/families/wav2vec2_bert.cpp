// wav2vec 2.0 with conformer layers, which read convolutions over the waveform or, in w2v-BERT 2.0, spectrograms. Source: transformers,
// models/wav2vec2_conformer, wav2vec2_bert.

#include <algorithm>
#include <iterator>

#include "core/nn/audio/wav2vec2.hpp"
#include "core/nn/audio/wav2vec2_conformer.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

void features(Builder& b, Expr width, Expr d) {
  b.scope(Part::embedding, "feature_projection", [&] {
    layer_norm(b, "layer_norm", width);
    linear(b, "projection", width, d, true);
  });
}

void masked_token(Config c, Builder& b, Expr d) {
  if (has_masked_spec_embed(c)) b.part(Part::embedding, [&] { b.parameter("masked_spec_embed", {d}); });
}

BackboneOutput conformer_backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 768), f = c.integer("intermediate_size", 3072), n_layers = c.integer("num_hidden_layers", 12);
  const Expr n = c.integer("num_attention_heads", 12, 1), kernel = conformer_kernel(c, n_layers);
  const Expr reach = c.integer("num_conv_pos_embeddings", 128), groups = c.integer("num_conv_pos_embedding_groups", 16, 1);
  const std::string_view positions = c.optional_text("position_embeddings_type", "relative").value_or("");

  features(b, waveform_convolutions(c, b, {}), d);
  masked_token(c, b, d);
  b.scope("encoder", [&] {
    if (positions == "rotary") rotary_frequencies(b, d, n);
    b.scope("pos_conv_embed", [&] { positional_convolution(b, d, reach, groups); });
    layer_norm(b, "layer_norm", d);
    speech_conformer_layers(
        b, {.hidden = d, .inner = f, .heads = n, .kernel = kernel, .relative = positions == "relative", .batch_norm = true}, n_layers);
  });
  return {.hidden = convolution_adapter(c, b, d)};
}

/// Records the adapter, if there is one. It shortens the sequence by convolutions and attention. Returns the model's output width.
Expr adapter(Config c, Builder& b, SpeechConformer m) {
  const bool used = c.flag("add_adapter", false), widened = c.flag("use_intermediate_ffn_before_adapter", false);
  const Expr d = m.hidden, d_out = c.integer("output_hidden_size", unless_zero.or_else(d)), kernel = c.integer("adapter_kernel_size", 3),
             n_layers = c.integer("num_adapter_layers", 1);
  if (widened && !used) c.refuse(ErrorCode::inconsistent, "use_intermediate_ffn_before_adapter", "needs add_adapter.");
  if (!used) return d;
  b.scope("adapter", [&] {
    if (d_out.decide() != d.decide()) {
      b.part(Part::adapter, [&] { linear(b, "proj", d, d_out, true); });
      layer_norm(b, "proj_layer_norm", d_out);
    }
    m.hidden = d_out;
    speech_adapter_layers(b, m, kernel, n_layers);
  });
  if (widened) mlp(b, "intermediate_ffn", d, m.inner, true, "intermediate_dense", "output_dense");
  return d_out;
}

constexpr std::string_view kinds_of_positions[] = {"rotary", "relative", "relative_key"};

template <std::uint64_t layers>
BackboneOutput bert_backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 1024), f = c.integer("intermediate_size", 4096),
             n_layers = c.integer("num_hidden_layers", layers);
  const Expr n = c.integer("num_attention_heads", 16, 1), kernel = conformer_kernel(c, n_layers);
  const Expr width = c.integer("feature_projection_input_dim", 160);
  const std::string_view positions = c.optional_text("position_embeddings_type", "relative_key").value_or("");
  if (!positions.empty() &&
      std::find(std::begin(kinds_of_positions), std::end(kinds_of_positions), positions) == std::end(kinds_of_positions))
    c.refuse(ErrorCode::out_of_range, "position_embeddings_type", "must be rotary, relative, relative_key or null.");
  const Expr distances = c.integer("left_max_position_embeddings", 64) + c.integer("right_max_position_embeddings", 8) + 1;
  const SpeechConformer m{.hidden = d,
                          .inner = f,
                          .heads = n,
                          .kernel = kernel,
                          .relative = positions == "relative",
                          .distances = positions == "relative_key" ? distances : Expr{}};

  features(b, width, d);
  masked_token(c, b, d);
  b.scope("encoder", [&] { speech_conformer_layers(b, m, n_layers); });
  return {.hidden = adapter(c, b, m)};
}

/// Records the head. transformers requires vocab_size if it is a CTC head.
void conformer_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::pretraining) return pretraining_head(c, b);
  speech_head(c, b, m, {.vocabulary = required(32)});
}
void bert_head(Config c, Builder& b, const BackboneOutput& m) { speech_head(c, b, m, {.vocabulary = required(32), .projection = 768}); }

}  // namespace

extern const Family wav2vec2_bert{
    .model_type = "wav2vec2-bert",
    .summary = "Self-supervised speech encoder: a conformer on mel spectrograms.",
    .classes = {"Wav2Vec2Bert", heads::speech, "wav2vec2_bert"},
    .backbone = bert_backbone<24>,
    .head = bert_head,
};
extern const Family unnamed_semantic_model{
    .model_type = "wav2vec2-bert",
    .backbone = bert_backbone<16>,
};
extern const Family wav2vec2_conformer{
    .model_type = "wav2vec2-conformer",
    .summary = "Like wav2vec 2.0, with conformer layers.",
    .classes = {"Wav2Vec2Conformer", heads::speech | heads::pretraining, "wav2vec2_conformer"},
    .backbone = conformer_backbone,
    .head = conformer_head,
};

}  // namespace param_ledger
