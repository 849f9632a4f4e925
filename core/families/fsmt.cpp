// FSMT: a translation model with BART's encoder and decoder, a vocabulary for each of the two languages, and sinusoidal positions that are
// stored. Source: transformers, models/fsmt.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_attention_heads", "encoder_attention_heads"},
                             {"hidden_size", "d_model"},
                             {"num_hidden_layers", "encoder_layers"},
                             {"vocab_size", "tgt_vocab_size"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr source = c.integer("src_vocab_size", 42024), target = c.integer("tgt_vocab_size", 42024), d = c.integer("d_model", 1024);
  const Expr positions = c.integer("max_position_embeddings", 1024) + c.integer("pad_token_id", 1) + 1;
  const Stack encoder = encoder_fields(c, d, {12, 4096, 16}), decoder = decoder_fields(c, d, {12, 4096, 16});
  const bool tied = c.flag("tie_word_embeddings", false);
  Tensor words;
  b.scope("decoder", [&] {
    words = embedding(b, "embed_tokens", target, d, TensorRole::token_embedding);
    embedding(b, "embed_positions", positions, d, TensorRole::position_embedding);
    record_block(b, {Mechanism::sinusoidal_positions}, "embed_positions");
    stack_layers(b, decoder);
    language_model_head(b, {.hidden = d, .embedding = words, .language_model = "output_projection"}, tied);
  });
  b.scope("encoder", [&] {
    if (tied)
      stack_table(b, words, true);
    else
      embedding(b, "embed_tokens", source, d, TensorRole::token_embedding);
    embedding(b, "embed_positions", positions, d, TensorRole::position_embedding);
    record_block(b, {Mechanism::sinusoidal_positions}, "embed_positions");
    stack_layers(b, encoder);
  });
  return {.hidden = d, .embedding = words};
}

}  // namespace

extern const Family fsmt{
    .model_type = "fsmt",
    .summary = "Machine translation: like BART, with separate source and target vocabularies.",
    .classes = {"FSMT", heads::conditional | heads::base},
    .aliases = aliases,
    .backbone = backbone,
    .head = [](Config, Builder&, const BackboneOutput&) {},
};

}  // namespace param_ledger
