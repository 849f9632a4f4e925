// OPT, BioGPT and XGLM: decoders with BART's layers and a head that is tied by default. OPT's embedding may have another width than its
// layers; XGLM's positions are sinusoidal. Source: transformers, models/opt, biogpt, xglm.

#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

namespace {

constexpr Alias xglm_aliases[] = {
    {"num_attention_heads", "attention_heads"}, {"hidden_size", "d_model"}, {"num_hidden_layers", "num_layers"}};

BackboneOutput opt_backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 768), f = c.integer("ffn_dim", 3072), n_layers = c.integer("num_hidden_layers", 12);
  const Expr n = c.integer("num_attention_heads", 12, 1), vocab = c.integer("vocab_size", 50272);
  const Expr positions = c.integer("max_position_embeddings", 2048), d_embed = c.integer("word_embed_proj_dim", d);
  const bool bias = c.flag("enable_bias", true);
  const Norm norm_kind = c.flag("layer_norm_elementwise_affine", true) ? Norm::layer : Norm::none;
  const bool norm_before = c.flag("do_layer_norm_before", true), norm_removed = c.flag("_remove_final_layer_norm", false);
  Tensor table;
  b.scope("decoder", [&] {
    table = embedding(b, "embed_tokens", vocab, d_embed, TensorRole::token_embedding);
    embedding(b, "embed_positions", positions + 2, d, TensorRole::position_embedding);
    if (!equal(d_embed, d))
      b.part(Part::embedding, [&] {
        linear(b, "project_out", d, d_embed);
        linear(b, "project_in", d_embed, d);
      });
    stack_layers(b,
                 {.hidden = d, .n_layers = n_layers, .inner = f, .heads = n, .attention_bias = bias, .mlp_bias = bias, .norm = norm_kind});
    if (norm_before && !norm_removed) norm(b, norm_kind, "final_layer_norm", d);
  });
  return {.hidden = d_embed, .embedding = table, .tie_by_default = true};
}

BackboneOutput biogpt_backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 1024), f = c.integer("intermediate_size", 4096), n_layers = c.integer("num_hidden_layers", 24);
  const Expr n = c.integer("num_attention_heads", 16, 1), vocab = c.integer("vocab_size", 42384);
  const Expr positions = c.integer("max_position_embeddings", 1024);
  const Tensor table = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
  embedding(b, "embed_positions", positions + 2, d, TensorRole::position_embedding);
  stack_layers(b, {.hidden = d, .n_layers = n_layers, .inner = f, .heads = n});
  layer_norm(b, "layer_norm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .language_model = "output_projection", .token_classifier = "classifier"};
}

BackboneOutput xglm_backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 1024), f = c.integer("ffn_dim", 4096), n_layers = c.integer("num_layers", 24);
  const Expr n = c.integer("attention_heads", 16, 1), vocab = c.integer("vocab_size", 256008);
  const bool cross = c.flag("add_cross_attention", false);
  const Tensor table = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
  stack_layers(b, {.hidden = d, .n_layers = n_layers, .inner = f, .heads = n, .cross_attention = cross});
  layer_norm(b, "layer_norm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true};
}

}  // namespace

extern const Family biogpt{
    .model_type = "biogpt",
    .summary = "Biomedical language model: like OPT.",
    .classes = {"BioGpt", heads::decoder | heads::sequence | heads::token, "biogpt"},
    .backbone = biogpt_backbone,
};
extern const Family opt{
    .model_type = "opt",
    .summary = "Like GPT-2, with separate QKV projections and ReLU.",
    .classes = {"OPT", heads::decoder | heads::sequence | heads::question},
    .backbone = opt_backbone,
    .cache = caches::all_tokens,
};
extern const Family xglm{
    .model_type = "xglm",
    .summary = "Multilingual language model: like OPT, with sinusoidal positions.",
    .classes = {"XGLM", heads::decoder},
    .aliases = xglm_aliases,
    .backbone = xglm_backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
