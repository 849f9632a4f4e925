// Nomic BERT and similar types: like BERT, with RoPE instead of learned positions and a fused query, key and value projection. Tensors have
// their published names, which transformers reads and writes.
// Source: transformers, models/nomic_bert, gte, jina_embeddings_v3.

#include "core/nn/text/attention.hpp"
#include "core/nn/text/encoder.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

/// The settings that differ between model types with Nomic BERT's structure.
struct RotaryBert {
  DecoderDefaults sizes;  ///< defaults of hidden_size, intermediate_size, num_hidden_layers, vocab_size and num_attention_heads
  std::uint64_t types;    ///< the default of type_vocab_size
  Default head_dim;
  bool attention_bias;
  BertType heads;  ///< settings of the pooler and the heads; everything else in it is ignored
  Text embedding_norm, layers, attention, output, attention_norm, feed_forward_norm;
  void (*feed_forward)(Builder& b, Expr d, Expr f);
};

constexpr RotaryBert nomic_type{
    .sizes = {768, 3072, 12, 30528, 12},
    .types = 2,
    .head_dim = {},
    .attention_bias = false,
    .heads = {.predictions = {.norm = "transform.layer_norm", .null_unties = Null::allowed}, .pooler = Pooler::sequences},
    .embedding_norm = "emb_ln",
    .layers = "encoder.layers",
    .attention = "attn.Wqkv",
    .output = "attn.out_proj",
    .attention_norm = "norm1",
    .feed_forward_norm = "norm2",
    .feed_forward = [](Builder& b, Expr d, Expr f) {
      gated_mlp(b, "mlp", d, f, false, {"fc12", "fc11", "fc2"});
    }};
constexpr RotaryBert gte_type{
    .sizes = {768, 3072, 12, 250048, 12},
    .types = 1,
    .head_dim = attribute,
    .attention_bias = true,
    .heads = {.predictions = {.module = "lm_head", .dense = "dense", .norm = "norm", .two_biases = false}, .pooler = Pooler::sequences},
    .embedding_norm = "embeddings.LayerNorm",
    .layers = "encoder.layer",
    .attention = "attention.qkv_proj",
    .output = "attention.o_proj",
    .attention_norm = "attn_ln",
    .feed_forward_norm = "mlp_ln",
    .feed_forward = [](Builder& b, Expr d, Expr f) {
      b.scope(Part::feed_forward, "mlp", [&] {
        linear(b, "up_gate_proj", d, 2 * f, false, TensorRole::gate_and_up);
        linear(b, "down_proj", f, d, true, TensorRole::down);
      });
    }};
constexpr RotaryBert jina_type{
    .sizes = {1024, 4096, 24, 250002, 16},
    .types = 1,
    .head_dim = attribute,
    .attention_bias = true,
    .heads = {.predictions = {.module = "lm_head", .dense = "dense", .norm = "layer_norm"}, .dense_classifier = true},
    .embedding_norm = "emb_ln",
    .layers = "encoder.layers",
    .attention = "mixer.Wqkv",
    .output = "mixer.out_proj",
    .attention_norm = "norm1",
    .feed_forward_norm = "norm2",
    .feed_forward = [](Builder& b, Expr d, Expr f) { mlp(b, "mlp", d, f, true, "fc1", "fc2"); }};

BackboneOutput rotary_backbone(Config c, Builder& b, const RotaryBert& type) {
  const DecoderSizes s = decoder_sizes(c, type.sizes);
  const Expr types = c.integer("type_vocab_size", type.types);
  const Expr h = c.integer("head_dim", type.head_dim.or_else(floor_divide(s.d, s.n)));
  const bool no_types = type.heads.predictions.norm == "norm" && types.decide() == 0;  // GTE has no table if there are no token types
  const Tensor words = embedding(b, "embeddings.word_embeddings", s.vocab, s.d, TensorRole::token_embedding);
  if (!no_types) embedding(b, "embeddings.token_type_embeddings", types, s.d, TensorRole::segment_embedding);
  layer_norm(b, type.embedding_norm, s.d);
  b.repeat(type.layers, all(s.n_layers), [&] {
    attention(b, "",
              {.hidden = s.d,
               .heads = s.n,
               .head_dim = h,
               .qkv_bias = type.attention_bias,
               .output_bias = type.attention_bias,
               .fused = type.attention,
               .o = type.output});
    layer_norm(b, type.attention_norm, s.d);
    type.feed_forward(b, s.d, s.f);
    layer_norm(b, type.feed_forward_norm, s.d);
  });
  bert_pooler(b, s.d, type.heads);
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}

template <const RotaryBert& type>
constexpr Family family(Text model_type, Text summary, Classes classes) {
  return {.model_type = model_type,
          .summary = summary,
          .classes = classes,
          .backbone = [](Config c, Builder& b) { return rotary_backbone(c, b, type); },
          .head = [](Config c, Builder& b, const BackboneOutput& m) { bert_head(c, b, m, type.heads); }};
}

constexpr unsigned no_spans = heads::base | heads::masked | heads::sequence | heads::token;

}  // namespace

extern const Family gte = family<gte_type>("gte", "Like BERT, with RoPE and a gated MLP.", {"Gte", no_spans, "gte"});
extern const Family jina_embeddings_v3 =
    family<jina_type>("jina_embeddings_v3", "Like RoBERTa, with RoPE.", {"JinaEmbeddingsV3", no_spans | heads::question, "roberta"});
extern const Family nomic_bert =
    family<nomic_type>("nomic_bert", "Like BERT, with RoPE, a gated MLP and few biases.", {"NomicBert", no_spans, "nomic_bert"});

}  // namespace param_ledger
