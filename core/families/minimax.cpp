// MiniMax-01: like Mixtral, with lightning attention (linear attention with a fixed decay) in the layers that layer_types marks as linear.
// Source: transformers, models/minimax.

#include "core/builder/blocks.hpp"
#include "core/builder/inference.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};

/// Records lightning attention. Its decay is stored in buffers, for each position in a block of tokens.
void lightning_attention(Builder& b, Text name, Expr d, Expr heads, Expr head_dim, Expr block) {
  const Expr one = b.pool().literal(1), width = heads * head_dim;
  b.scope(Part::state_space, name, [&] {
    const InBlock mixer(b, {Mechanism::lightning_attention});
    linear(b, "qkv_proj", d, 3 * width, false, TensorRole::query_key_value);
    linear(b, "output_gate", d, width);
    rms_norm(b, "norm", width);
    linear(b, "out_proj", width, d, false, TensorRole::output);
    record_recurrence(b, 2 * heads * head_dim * head_dim, Prompt::in_chunks);
    record_cache(b, "linear_cache", {heads, head_dim, head_dim});
    b.buffer("slope_rate", {heads, one, one});
    b.buffer("query_decay", {heads, block, one});
    b.buffer("key_decay", {heads, block, one});
    b.buffer("diagonal_decay", {one, heads, block, block});
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 14336, 32, 32000, 32});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = head_dim_or_share(c, s.d, s.n), block = c.integer("block_size", 256);
  const Mixture experts = mixture_fields(c, s.d, {.count = 8, .active = 2, .count_field = "num_local_experts"}, mixtral_experts(s.f));
  const Split layers = linear_layers(c, s.n_layers, [](std::uint64_t i) { return i % 2 == 0; });
  const SparseDecoder m{s, {.layers = {all(s.n_layers), {}}, .mixture = experts, .name = "block_sparse_moe"}};
  return sparse_decoder(b, m, [&] {
    b.repeat("layers", layers.in, [&] {
      require_positive(n_kv);  // transformers first builds full attention in every layer, and then replaces it in some
      require_positive(h);
      lightning_attention(b, "self_attn", s.d, s.n, h, block);
    });
    b.repeat("layers", layers.out, [&] { attention(b, "self_attn", {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h}); });
  });
}

}  // namespace

extern const Family minimax{
    .model_type = "minimax",
    .summary = "Like Mixtral, with lightning (linear) attention in every other layer.",
    .classes = {"MiniMax", heads::all},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
    .peft = PeftExperts::converted,
};

}  // namespace param_ledger
