// PEGASUS-X: like PEGASUS, but for long texts. The encoder attends within blocks and to global tokens. Attention has no biases, and files
// do not store the sinusoidal positions. Source: transformers, models/pegasus_x.

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 96103), d = c.integer("d_model", 1024), global = c.integer("num_global_tokens", 32);
  Stack encoder = encoder_fields(c, d, {16, 4096, 16}), decoder = decoder_fields(c, d, {16, 4096, 16});
  encoder.attention_bias = decoder.attention_bias = false;
  const bool tied = c.flag("tie_word_embeddings", true);
  const Tensor words = embedding(b, "shared", vocab, d, TensorRole::token_embedding);
  b.scope("encoder", [&] {
    stack_table(b, words, tied);
    embedding(b, "embed_global", global, d);
    stack_layers(b, encoder);
    b.repeat("layers", all(encoder.n_layers), [&] { layer_norm(b, "global_self_attn_layer_norm", d); });
    layer_norm(b, "layer_norm", d);
  });
  b.scope("decoder", [&] {
    stack_table(b, words, tied);
    stack_layers(b, decoder);
    layer_norm(b, "layer_norm", d);
  });
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

}  // namespace

extern const Family pegasus_x{
    .model_type = "pegasus_x",
    .summary = "Long-document summarization: PEGASUS with block-local attention and global tokens.",
    .classes = {"PegasusX", heads::conditional | heads::base},
    .aliases = bart_aliases,
    .backbone = backbone,
};

}  // namespace param_ledger
