// ProphetNet: like BART, with different tensor names. The decoder predicts several tokens at once, each in a separate stream. Source:
// transformers, models/prophetnet.

#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_attention_heads", "num_encoder_attention_heads"}};
constexpr StackNames names{"query_proj",
                           "key_proj",
                           "value_proj",
                           "out_proj",
                           "cross_attn",
                           "cross_attn_layer_norm",
                           "feed_forward.intermediate",
                           "feed_forward.output",
                           "feed_forward_layer_norm"};

BackboneOutput backbone(Config c, Builder& b) {
  if (c.has("num_hidden_layers"))
    c.refuse(ErrorCode::unsupported, "num_hidden_layers", "cannot be set. Give num_encoder_layers and num_decoder_layers.");
  const Expr vocab = c.integer("vocab_size", 30522), d = c.integer("hidden_size", 1024);
  const Expr positions = c.integer("max_position_embeddings", 512);
  const bool tied = c.flag("tie_word_embeddings", true);
  const Tensor words = embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
  const auto embeddings = [&] {
    if (tied)
      b.part(Part::embedding, [&] { b.tied("word_embeddings.weight", words); });
    else
      embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
    embedding(b, "position_embeddings", positions, d, TensorRole::position_embedding);
    layer_norm(b, "embeddings_layer_norm", d);
  };

  if (b.architecture().head != Head::causal_lm) {
    const Expr n_layers = c.integer("num_encoder_layers", 12), n = c.integer("num_encoder_attention_heads", 16);
    const Expr f = c.integer("encoder_ffn_dim", 4096);
    b.scope("encoder", [&] {
      embeddings();
      stack_layers(b, {.hidden = d, .n_layers = n_layers, .inner = f, .heads = n, .names = names});
    });
  }
  const Expr n_layers = c.integer("num_decoder_layers", 12), n = c.integer("num_decoder_attention_heads", 16);
  const Expr f = c.integer("decoder_ffn_dim", 4096), streams = c.integer("ngram", 2), buckets = c.integer("num_buckets", 32);
  const bool cross_attention = c.flag("add_cross_attention", true);
  b.scope("decoder", [&] {
    embeddings();
    embedding(b, "ngram_embeddings", streams, d);
    stack_layers(b, {.hidden = d, .n_layers = n_layers, .inner = f, .heads = n, .cross_attention = cross_attention, .names = names});
    b.repeat("layers", all(n_layers),
             [&] { b.part(Part::attention, [&] { linear(b, "self_attn.relative_pos_embeddings", d, buckets * n, true); }); });
  });
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

}  // namespace

extern const Family prophetnet{
    .model_type = "prophetnet",
    .summary = "Encoder-decoder with n-gram prediction and shared embeddings.",
    .classes = {"ProphetNet", heads::causal_lm | heads::conditional | heads::base, "prophetnet"},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::decoder_alone,
    .uncomputed = unmatched,
};

}  // namespace param_ledger
