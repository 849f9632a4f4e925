// NLLB-MoE: like M2M-100, with a mixture of experts in some layers; each token uses two experts. encoder_sparse_step and
// decoder_sparse_step select these layers.
// Source: transformers, models/nllb_moe.

#include "core/nn/heads.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/encoder_decoder.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Count experts_of_token = 2;

struct Experts {
  Expr count;
  bool router_bias;
};

/// Records the layers of `s`. Every `step`-th layer has experts; no layer has them if `step` is 0.
void layers(Config c, Builder& b, const Stack& s, const Experts& experts, Expr step, Text sparse_name, Text symbol) {
  stack_layers(b, s);
  const Count every = step.decide();
  const Split which = split(c, s.n_layers, sparse_name, symbol, "Layers with a mixture of experts.",
                            [&](std::size_t i) { return every > 0 && (i + 1) % every == 0; });
  b.repeat("layers", which.out, [&] { mlp(b, "ffn", s.hidden, s.inner, true, "fc1", "fc2"); });
  b.repeat("layers", which.in, [&] {
    b.scope(Part::router, "ffn.router", [&] { linear(b, "classifier", s.hidden, experts.count, experts.router_bias, TensorRole::router); });
    b.scope("ffn", [&] { named_experts(b, experts.count, experts_of_token, [&] { mlp(b, "", s.hidden, s.inner, true, "fc1", "fc2"); }); });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 128112), d = c.integer("d_model", 1024);
  Stack encoder = encoder_fields(c, d, {12, 4096, 16}), decoder = decoder_fields(c, d, {12, 4096, 16});
  encoder.feed_forward = decoder.feed_forward = false;
  encoder.names.last_norm = decoder.names.last_norm = "ff_layer_norm";
  decoder.names.cross = "cross_attention";
  decoder.names.cross_norm = "cross_attention_layer_norm";
  const Experts experts{c.integer("num_experts", 128), c.flag("router_bias", false)};
  const Expr step_in = c.integer("encoder_sparse_step", 4), step_out = c.integer("decoder_sparse_step", 4);
  const bool tied = c.flag("tie_word_embeddings", true);
  const Tensor words = embedding(b, "shared", vocab, d, TensorRole::token_embedding);
  b.scope("encoder", [&] {
    stack_table(b, words, tied);
    layers(c, b, encoder, experts, step_in, "num_sparse_encoder_layers", "L_s");
    layer_norm(b, "layer_norm", d);
  });
  b.scope("decoder", [&] {
    stack_table(b, words, tied);
    layers(c, b, decoder, experts, step_out, "num_sparse_decoder_layers", "L_t");
    layer_norm(b, "layer_norm", d);
  });
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

}  // namespace

extern const Family nllb_moe{
    .model_type = "nllb-moe",
    .summary = "Machine translation: M2M-100 with a mixture of experts in some layers.",
    .classes = {"NllbMoe", heads::conditional | heads::base},
    .aliases = bart_aliases,
    .backbone = backbone,
};

}  // namespace param_ledger
