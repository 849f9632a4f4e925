// NeoMME: an encoder of text and image patches; narrow embeddings, gated attention, and value embeddings.
// Source: transformers, models/neomme.

#include <algorithm>

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

/// Reads an integer field that must be at least 1.
Expr positive(Config c, Text field, std::uint64_t fallback) { return c.integer(field, fixed(fallback), 1); }

/// Throws for unsupported layers. layer_types must contain full_attention, because transformers looks for the first and the last such
/// layer. per_layer_config may give a layer nothing but a sliding_window, which affects no tensor.
void check_layers(Config c) {
  static constexpr std::string_view kinds[] = {"sliding_attention", "full_attention"};
  const auto given = c.words("layer_types", kinds);
  if (given && std::find(given->begin(), given->end(), kinds[1]) == given->end())
    c.refuse(ErrorCode::out_of_range, "layer_types", "must have a layer of full_attention.");
  const Json own = c.peek("per_layer_config");
  if (!own) return;
  for (const auto& [_, layer] : own.members())
    if (layer.size() > 1 || (layer.size() == 1 && !layer["sliding_window"]))
      c.refuse(ErrorCode::unsupported, "per_layer_config", "may only give layers a sliding_window.", Refused::per_layer_config);
  c.consume("per_layer_config");
}

/// Records the model, including the head. A masked language model's head may be tied to both the embedding table and its projection.
BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = positive(c, "vocab_size", 131072), e = positive(c, "embedding_rank", 256), d = positive(c, "hidden_size", 1024);
  const Expr f = positive(c, "intermediate_size", 3584), n_layers = positive(c, "num_hidden_layers", 17);
  const Expr n = positive(c, "num_attention_heads", 16), n_kv = positive(c, "num_key_value_heads", 4), h = positive(c, "head_dim", 64);
  const Expr patch = positive(c, "patch_size", 32), pixels = 3 * power(patch, 2), vector = positive(c, "embedding_dim", 128);
  const bool mlp_bias = c.flag("mlp_bias", false), bias = c.flag("attention_bias", false), tied = c.flag("tie_word_embeddings", true);
  require_multiple(n, n_kv);
  check_layers(c);
  const Head head = b.architecture().head;

  Tensor words, widening;
  b.scope(head == Head::none ? "" : "model", [&] {
    b.scope(Part::embedding, "embed_tokens", [&] {
      words = embedding(b, "word_embeddings", vocab, e, TensorRole::token_embedding);
      widening = b.parameter("embedding_projection.weight", {d, e}, StorageKind::matrix);
    });
    b.tower(Tower::vision, "patch_embeddings", [&] {
      layer_norm(b, "norm", pixels);
      b.part(Part::embedding, [&] {
        linear(b, "up_proj", pixels, 2 * d, false, TensorRole::up);
        linear(b, "down_proj", 2 * d, d, true, TensorRole::down);
      });
    });
    b.repeat("layers", all(n_layers), [&] {
      b.part(Part::norm, [&] {
        const InBlock block(b, {Mechanism::residual_weights});
        b.parameter("lambdas", {c.literal(2)});
      });
      attention(b, "self_attn",
                {.hidden = d,
                 .heads = n,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .qkv_bias = bias,
                 .output_bias = bias,
                 .gate = "output_projection.gate_proj",
                 .sinks = true,
                 .o = "output_projection.o_proj",
                 .sinks_name = "exclusive_self_attention.alpha"});
      mlp(b, "mlp", d, f, mlp_bias);
    });
    embedding(b, "value_embeddings", vocab, n_kv * h);
  });
  b.part(Part::output_head, [&] {
    if (head == Head::other) linear(b, "multi_vector_head.proj", d, vector);
    if (head != Head::masked_lm) return;
    if (tied)
      b.tied("unembedding_projection.weight", widening);
    else
      b.parameter("unembedding_projection.weight", {d, e}, StorageKind::matrix);
    language_model_head(b, {.hidden = e, .embedding = words}, tied);
  });
  return {.hidden = d, .embedding = words};
}

constexpr Architecture retrieval[] = {{"NeoMMEForRetrieval", Head::other, ""}};

}  // namespace

extern const Family neomme{
    .model_type = "neomme",
    .summary = "Text and image encoder with factorized and value embeddings, gated attention.",
    .classes = {"NeoMME", heads::base | heads::masked, "", {}, retrieval},
    .backbone = backbone,
    .head = [](Config, Builder&, const BackboneOutput&) {},
};

}  // namespace param_ledger
