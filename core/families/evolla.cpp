// Evolla: a Llama that reads proteins. ESM-2's layers encode a protein, a resampler condenses their output to a fixed number of latents,
// and at regular intervals Llama's layers have cross-attention to these. Source: transformers, models/evolla.

#include <algorithm>

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType protein_type{.sizes = {1280, 5120, 33, 446, 20},
                                .positions = 1026,
                                .token_types = {},
                                .norms = {"", "LayerNorm", "LayerNorm", "encoder.emb_layer_norm_after"},
                                .scaled_by_head_dim = false};
constexpr LlamaType text_type{.sizes = {4096, 14336, 32, 128256, 32}, .kv_heads = fixed(8), .head_dim = attribute, .switches = both_biases};

/// Records SaProt, the protein encoder. Returns its width.
Expr protein_encoder(Config c, Builder& b) {
  const BertSizes s = bert_sizes(c, protein_type);
  const bool learned = c.text("position_embedding_type", "rotary") == "absolute", normed = c.flag("emb_layer_norm_before", false);
  b.scope("embeddings", [&] {
    embedding(b, "word_embeddings", s.vocab, s.d, TensorRole::token_embedding);
    if (learned) embedding(b, "position_embeddings", s.positions, s.d, TensorRole::position_embedding);
    if (normed) layer_norm(b, "layer_norm", s.d);
  });
  b.part(Part::embedding, [&] { b.buffer("rotary_embeddings.inv_freq", {ceil_divide(floor_divide(s.d, s.n), c.literal(2))}); });
  bert_layers(b, s, protein_type);
  return s.d;
}

/// Records a feed-forward block: a norm and two matrices.
void feed_forward(Builder& b, Text name, Expr d, Expr factor) {
  b.scope(name, [&] { layer_norm(b, "norm", d); });
  mlp(b, name, d, factor * d, false, "fc1", "fc2");
}

/// Records the resampler: learned latents, layers with cross-attention to the encoded protein, and a projection to the text model's width.
void resampler(Config c, Builder& b, Expr d, Expr out) {
  const Expr depth = c.integer("resampler_depth", 6), heads = c.integer("resampler_heads", 8), h = c.integer("resampler_dim_head", 64);
  const Expr latents = c.integer("resampler_num_latents", 64), factor = c.integer("resampler_ff_mult", 4);
  b.parameter("latents", {latents, d}, StorageKind::table);
  b.repeat("layers", all(depth), [&] {
    require_positive(h);
    b.scope("0", [&] {
      for (const Text name : {"norm_media", "norm_latents"}) layer_norm(b, name, d);
      linear(b, "to_q", d, heads * h, false, TensorRole::query);
      linear(b, "to_kv", d, 2 * (heads * h));
      linear(b, "to_out", heads * h, d);
    });
    feed_forward(b, "1", d, factor);
  });
  layer_norm(b, "norm", out);
  linear(b, "protein_projector", d, out, true);
}

/// Records cross-attention and a feed-forward block, each with a scalar gate.
void adapter(Builder& b, Expr d, Expr heads, Expr factor, bool bias) {
  const Expr width = heads * floor_divide(d, heads);
  for (const Text name : {"gate_attention", "gate_ffw"}) b.parameter(name, {b.pool().literal(1)});
  for (const Text name : {"query", "key_protein", "value_protein"}) linear(b, name, d, width, true);
  rms_norm(b, "attention_norm", d);
  linear(b, "out_proj", d, d, bias);
  feed_forward(b, "ff", d, factor);
}

BackboneOutput backbone(Config c, Builder& b) {
  const LlamaDecoder m = llama_type_fields(c, text_type);
  const Expr d = m.attention.hidden, factor = c.integer("aligner_ffn_mult", 4), wanted = c.integer("aligner_num_add_layers", 8);
  const bool bias = c.flag("aligner_enable_bias", true, Null::allowed);
  b.scope("protein_encoder", [&] {
    Expr width;
    b.scope("model", [&] { width = protein_encoder(c.section("protein_encoder_config"), b); });
    b.tower(Tower::projector, "sequence_compressor_resampler", [&] { resampler(c, b, width, d); });
  });
  BackboneOutput out = llama_decoder(b, m);
  out.embedding = {};  // this model's head is never tied
  out.vocabulary = m.vocabulary;
  if (m.n_layers.decide() == 0) return out;
  const Count every = std::max<Count>(floor_divide(m.n_layers, wanted).decide(), 1);
  const IndexSet adapted = layers_where(c, m.n_layers, "num_aligned_layers", "L_a", "Layers with cross-attention to the protein.",
                                        [&](std::size_t i) { return (i + 1) % every == 0; });
  b.repeat("layers", adapted, [&] { b.scope(Part::adapter, "adapter", [&] { adapter(b, d, m.attention.heads, factor, bias); }); });
  return out;
}

constexpr Architecture classes[] = {{"EvollaForProteinText2Text", Head::causal_lm, "model"}, {"EvollaModel", Head::none, ""}};

}  // namespace

extern const Family evolla{
    .model_type = "evolla",
    .summary = "Protein-language model: Llama with cross-attention to a protein encoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
