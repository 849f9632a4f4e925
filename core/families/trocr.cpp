// TrOCR: BART's decoder alone, with cross-attention to an image encoder's output. Its positions are learned or sinusoidal.
// Source: transformers, models/trocr.

#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {
    {"num_attention_heads", "decoder_attention_heads"}, {"hidden_size", "d_model"}, {"num_hidden_layers", "decoder_layers"}};
constexpr Architecture classes[] = {{"TrOCRForCausalLM", Head::causal_lm, "model.decoder"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 50265), d = c.integer("d_model", 1024), positions = c.integer("max_position_embeddings", 512);
  Stack decoder = decoder_fields(c, d, {12, 4096, 16});
  decoder.memory = c.optional_integer("cross_attention_hidden_size").value_or(d);
  const bool learned = c.flag("use_learned_position_embeddings", true), embedding_norm = c.flag("layernorm_embedding", true);

  const Tensor words = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
  if (learned) embedding(b, "embed_positions", positions + 2, d, TensorRole::position_embedding);
  if (embedding_norm) norm(b, Norm::layer, "layernorm_embedding", d, TensorRole::embedding_norm);
  stack_layers(b, decoder);
  return {.hidden = d, .embedding = words, .tie_by_default = true, .language_model = "output_projection"};
}

}  // namespace

extern const Family trocr{
    .model_type = "trocr",
    .summary = "Text recognition (OCR): BART's decoder, which reads the output of an image encoder.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
