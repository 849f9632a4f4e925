// Granite Speech 5: a conformer with a table of relative positions in each layer. Halfway through the layers, the CTC head's predictions
// are projected and added to the hidden states.
// Source: transformers, models/granite_speech5.

#include "core/builder/family.hpp"
#include "core/nn/audio/fast_conformer.hpp"
#include "core/nn/nested.hpp"

namespace param_ledger {

extern const Family granite_speech5_encoder;

namespace {

BackboneOutput encoder(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 16384), d = c.integer("hidden_size", 1024), f = c.integer("intermediate_size", 4096),
             n_layers = c.integer("num_hidden_layers", 16), n = c.integer("num_attention_heads", 8, 1);
  const Expr h = c.integer("head_dim", floor_divide(d, n)), bins = c.integer("num_mel_bins", 80);
  const Expr positions = c.integer("max_position_embeddings", 512), context = c.integer("context_size", 128, 1);
  const Expr kernel = c.integer("conv_kernel_size", 7), inner = d * c.integer("conv_expansion_factor", 2);
  const bool bias = c.flag("attention_bias", true);
  if (context.decide() > positions.decide()) c.refuse(ErrorCode::inconsistent, "context_size", "must not exceed max_position_embeddings.");
  if (const Json kv = c.peek("num_key_value_heads"); kv.is(Json::Type::integer) && kv.magnitude() == 0)
    c.refuse(ErrorCode::out_of_range, "num_key_value_heads", "must be at least 1.");
  b.part(Part::embedding, [&] { linear(b, "input_linear", 4 * bins, d, true); });
  b.repeat("layers", all(n_layers), [&] {
    require_positive(h);
    fast_conformer_layer(
        b, {.hidden = d, .inner = f, .bias = bias},
        [&] {
          query_key_value(b, d, n * h);
          linear(b, "o_proj", n * h, d, true, TensorRole::output);
          table(b, "rel_pos_emb", 2 * positions + 1, h);
        },
        [&] {
          linear(b, "pointwise_lin1", d, 2 * inner, true);
          depthwise_conv1d(b, "depthwise_conv", inner, kernel, false);
          batch_norm(b, "norm", inner);
          linear(b, "pointwise_lin2", inner, d, true);
        });
  });
  Tensor out, out_bias;
  b.scope(Part::output_head, "out", [&] {
    out = b.parameter("weight", {vocab, d}, StorageKind::matrix);
    out_bias = b.parameter("bias", {vocab});
  });
  b.tower(Tower::projector, "", [&] { linear(b, "out_mid", vocab, d, true); });
  return {.hidden = d, .embedding = out, .bias = out_bias, .vocabulary = vocab};
}

BackboneOutput ctc(Config c, Builder& b) {
  const BackboneOutput out = nested(c.section("encoder_config"), b, "encoder", granite_speech5_encoder);
  require_equal(c.integer("vocab_size", 16384), out.vocabulary);
  return out;
}

/// Records the CTC head. By default it is tied to the encoder's CTC layer, including the bias.
void ctc_head(Config c, Builder& b, const BackboneOutput& m) {
  const bool tied = c.flag("tie_word_embeddings", true);
  b.part(Part::output_head, [&] {
    if (!tied) return linear(b, "ctc_head", m.hidden, m.vocabulary, true);
    b.tied("ctc_head.weight", m.embedding);
    b.tied("ctc_head.bias", m.bias);
  });
}

constexpr Architecture encoders[] = {{"GraniteSpeech5Encoder", Head::none, ""}}, ctcs[] = {{"GraniteSpeech5ForCTC", Head::ctc, ""}};

}  // namespace

extern const Family granite_speech5_ctc{
    .model_type = "granite_speech5_ctc",
    .summary = "Speech recognition: a conformer with a self-conditioned CTC head.",
    .classes = {.listed = ctcs},
    .backbone = ctc,
    .head = ctc_head,
};
extern const Family granite_speech5_encoder{
    .model_type = "granite_speech5_encoder",
    .summary = "Conformer encoder of Granite Speech 5.",
    .classes = {.listed = encoders},
    .backbone = encoder,
};

}  // namespace param_ledger
