// ESM 1 and 2: a pre-norm RoBERTa for proteins, with a head that predicts contacts. The tensors of norms inside layers are named gamma and
// beta instead of weight and bias, as transformers writes them. Source: transformers, models/esm.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/encoder.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 33, 12}, .dense_classifier = true};

void old_norm(Builder& b, Text name, Expr d) {
  b.scope(Part::norm, name, [&] {
    const InBlock block(b, {Mechanism::layer_norm});
    for (const Text tensor : {"gamma", "beta"}) b.parameter(tensor, {d});
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", required(33)), d = c.integer("hidden_size", 768), f = c.integer("intermediate_size", 3072);
  const Expr n_layers = c.integer("num_hidden_layers", 12), n = c.integer("num_attention_heads", 12, 1, Refused::no_heads);
  const Expr positions = c.integer("max_position_embeddings", 1026);
  const auto kind = c.optional_text("position_embedding_type", "absolute");
  const bool first_norm = c.flag("emb_layer_norm_before", false, Null::allowed), decodes = c.flag("is_decoder", false, Null::allowed);
  const bool is_cross_attention = c.flag("add_cross_attention", false, Null::allowed);
  if (is_cross_attention && !decodes && n_layers.decide() > 0)
    c.refuse(ErrorCode::inconsistent, "is_decoder", "must be true if add_cross_attention is true.");
  Tensor words;
  b.scope("embeddings", [&] {
    words = embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
    if (first_norm) layer_norm(b, "layer_norm", d);
    if (kind == "absolute") embedding(b, "position_embeddings", positions, d, TensorRole::position_embedding);
  });
  // transformers 5.23 writes this name, including the star; published files have one tensor per layer.
  if (kind == "rotary")
    b.part(Part::embedding,
           [&] { b.buffer("encoder.layer.*.attention.self.rotary_embeddings.inv_freq", {ceil_divide(floor_divide(d, n), c.literal(2))}); });
  const auto attention_of = [&](Text name, bool cross) {
    attention(b, name,
              {.hidden = d,
               .heads = n,
               .qkv_bias = true,
               .output_bias = true,
               .scaled_by_head_dim = false,
               .q = "self.query",
               .k = "self.key",
               .v = "self.value",
               .o = "output.dense",
               .is_cross_attention = cross});
    b.scope(name, [&] { old_norm(b, "LayerNorm", d); });
  };
  b.repeat("encoder.layer", all(n_layers), [&] {
    attention_of("attention", false);
    if (is_cross_attention) attention_of("crossattention", true);
    mlp(b, "", d, f, true, "intermediate.dense", "output.dense");
    old_norm(b, "LayerNorm", d);
  });
  layer_norm(b, "encoder.emb_layer_norm_after", d);
  bert_pooler(b, d, type);
  b.part(Part::output_head, [&] { linear(b, "contact_head.regression", n_layers * n, c.literal(1), true); });
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

/// Records the head. For masked language modelling, the bias of the logits is stored outside the module `decoder`.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::masked_lm) return bert_head(c, b, m, type);
  b.scope(Part::output_head, "lm_head", [&] {
    linear(b, "dense", m.hidden, m.hidden, true);
    layer_norm(b, "layer_norm", m.hidden);
    b.parameter("bias", {b.row(m.embedding).shape.front()});
    BackboneOutput named = m;
    named.language_model = "decoder";
    language_model_head(c, b, named);
  });
}

}  // namespace

extern const Family esm{
    .model_type = "esm",
    .summary = "Protein language model: pre-norm RoBERTa.",
    .classes = {"Esm", heads::base | heads::masked | heads::sequence | heads::token, "esm"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
