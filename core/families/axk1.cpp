// A.X K1: like DeepSeek-V3, with a norm after each mixture of experts. A.X K2: like DeepSeek-V3.2, with a gated attention output, and with
// gated norms before attention and before mixtures of experts. Source: transformers, models/axk1, axk2.

#include "core/builder/blocks.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}};

BackboneOutput axk1_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {7168, 18432, 61, 163840, 64});
  const LatentAttention latent = latent_attention_fields(c, s.d, s.n, {.compressed = true});
  const Mixture m = mixture_fields(c, s.d, {.count = 192, .active = 8, .inner = 2048, .shared = 1}, {.correction = RouterBias::buffer});
  const Split layers = listed_sparse_layers(
      c, s.n_layers, stepped_sparse_layers(c, s.n_layers, c.integer("first_k_dense_replace", attribute.or_else(c.literal(1)))));
  return sparse_decoder(b, {s, {.layers = layers, .mixture = m, .dense = s.f}}, [&] {
    b.repeat("layers", all(s.n_layers), [&] { latent_attention(b, "self_attn", latent); });
    b.repeat("layers", layers.in, [&] { rms_norm(b, "post_mlp_layernorm", s.d); });
  });
}

void gated_norm(Builder& b, Text name, Expr d, Expr rank) {
  b.scope(Part::norm, name, [&] {
    const InBlock block(b, {Mechanism::gated_rms_norm});
    rms_norm(b, "norm", d);
    linear(b, "W_down", d, rank);
    linear(b, "W_up", rank, d);
  });
}

BackboneOutput axk2_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 5120, 48, 163840, 32});
  LatentAttention latent = latent_attention_fields(
      c, s.d, s.n, {.q_rank = 384, .kv_rank = 128, .nope_dim = 64, .rope_dim = 32, .value_dim = 64, .compressed = true});
  latent.output_gate = true;
  const Indexer index{c.integer("index_n_heads", 16), c.integer("index_head_dim", 128)};
  const Mixture m = mixture_fields(c, s.d, {.count = 128, .active = 8, .inner = 512, .shared = 1}, {.correction = RouterBias::buffer});
  const Split layers = listed_sparse_layers(
      c, s.n_layers, stepped_sparse_layers(c, s.n_layers, c.integer("first_k_dense_replace", attribute.or_else(c.literal(1)))));
  const Expr rank = c.integer("gated_norm_rank", 16);
  require_positive(*latent.q_rank);

  return decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      gated_norm(b, "input_layernorm", s.d, rank);
      latent_attention(b, "self_attn", latent);
      indexer(b, "self_attn.indexer", latent, index);
    });
    b.repeat("layers", layers.out, [&] { rms_norm(b, "post_attention_layernorm", s.d); });
    b.repeat("layers", layers.in, [&] { gated_norm(b, "post_attention_layernorm", s.d, rank); });
    sparse_feed_forward(b, {.layers = layers, .mixture = m, .dense = s.f});
  });
}

}  // namespace

extern const Family axk1{
    .model_type = "axk1",
    .summary = "Like DeepSeek-V3, with a norm after each mixture of experts.",
    .classes = {"AXK1", heads::decoder | heads::sequence | heads::token},
    .aliases = aliases,
    .backbone = axk1_backbone,
    .cache = caches::all_tokens,
};
extern const Family axk2{
    .model_type = "axk2",
    .summary = "Like DeepSeek-V3.2, with gated norms and gated attention.",
    .classes = {"AXK2", heads::decoder | heads::sequence | heads::token},
    .aliases = aliases,
    .backbone = axk2_backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
