// LED: BART with Longformer's attention in the encoder.
// Source: transformers, models/led.

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 50265), d = c.integer("d_model", 1024);
  const Expr read = c.integer("max_encoder_position_embeddings", 16384), written = c.integer("max_decoder_position_embeddings", 1024);
  Stack encoder = encoder_fields(c, d, {12, 4096, 16});
  const Stack decoder = decoder_fields(c, d, {12, 4096, 16});
  encoder.names.q = "longformer_self_attn.query";
  encoder.names.k = "longformer_self_attn.key";
  encoder.names.v = "longformer_self_attn.value";
  encoder.names.o = "output";
  c.require_length_of("attention_window", encoder.n_layers);  // no tensor depends on attention_window, but transformers checks its length
  const bool tied = c.flag("tie_word_embeddings", true);
  const Tensor words = embedding(b, "shared", vocab, d, TensorRole::token_embedding);
  const auto stack = [&](Text name, const Stack& s, Expr positions) {
    b.scope(name, [&] {
      stack_table(b, words, tied);
      embedding(b, "embed_positions", positions, d, TensorRole::position_embedding);
      norm(b, Norm::layer, "layernorm_embedding", d, TensorRole::embedding_norm);
      stack_layers(b, s);
    });
  };
  stack("encoder", encoder, read);
  b.repeat("encoder.layers", all(encoder.n_layers), [&] {
    b.scope(Part::attention, "self_attn.longformer_self_attn", [&] {
      for (const Text name : {"query_global", "key_global", "value_global"}) linear(b, name, d, d, true);
    });
  });
  stack("decoder", decoder, written);
  return {.hidden = d, .embedding = words, .vocabulary = vocab, .tie_by_default = true};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head kind = b.architecture().head;
  b.part(Part::output_head, [&] {
    if (kind == Head::question_answering) linear(b, "qa_outputs", m.hidden, c.literal(2), true);
    if (kind != Head::conditional_generation) return;
    b.buffer("final_logits_bias", {c.literal(1), m.vocabulary});
    language_model_head(c, b, m);
  });
}

}  // namespace

extern const Family led{
    .model_type = "led",
    .summary = "Like BART, with Longformer's sparse attention in the encoder.",
    .classes = {"LED", heads::conditional | heads::base | heads::question, "led"},
    .aliases = bart_aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
