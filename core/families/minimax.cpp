// MiniMax-01 and MiniMax-M1: like Mixtral, with lightning attention (linear attention with a fixed decay) in some layers (in transformers,
// by default in every other one). Files for transformers also store the decay in buffers. Source: transformers, models/minimax;
// modeling_minimax_m1.py as published in MiniMax-AI/MiniMax-M1, which builds the same tensors as modeling_minimax_text_01.py.

#include "core/builder/blocks.hpp"
#include "core/builder/inference.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};
constexpr DecoderDefaults defaults{4096, 14336, 32, 32000, 32};

struct Sizes {
  DecoderSizes s;
  Expr kv_heads, head_dim;
  Split layers;  ///< `in`: layers with lightning attention; `out`: layers with full attention
  Expr block;    ///< tokens in a block, for which files store the decay; empty if files do not store it
};

/// Records lightning attention.
void lightning_attention(Builder& b, Text name, const Sizes& m) {
  const Expr one = b.pool().literal(1), d = m.s.d, heads = m.s.n, head_dim = m.head_dim, width = heads * head_dim;
  b.scope(Part::state_space, name, [&] {
    const InBlock mixer(b, {Mechanism::lightning_attention});
    linear(b, "qkv_proj", d, 3 * width, false, TensorRole::query_key_value);
    linear(b, "output_gate", d, width);
    rms_norm(b, "norm", width);
    linear(b, "out_proj", width, d, false, TensorRole::output);
    record_recurrence(b, 2 * heads * head_dim * head_dim, Prompt::in_chunks);
    record_cache(b, "linear_cache", {heads, head_dim, head_dim});
    if (!m.block) return;
    b.buffer("slope_rate", {heads, one, one});
    b.buffer("query_decay", {heads, m.block, one});
    b.buffer("key_decay", {heads, m.block, one});
    b.buffer("diagonal_decay", {one, heads, m.block, m.block});
  });
}

BackboneOutput decoder(Config c, Builder& b, const Sizes& m) {
  const DecoderSizes& s = m.s;
  const Mixture experts = mixture_fields(c, s.d, {.count = 8, .active = 2, .count_field = "num_local_experts"}, mixtral_experts(s.f));
  const SparseDecoder all_layers{s, {.layers = sparse_everywhere(s.n_layers), .mixture = experts, .name = "block_sparse_moe"}};
  return sparse_decoder(b, all_layers, [&] {
    b.repeat("layers", m.layers.in, [&] {
      if (m.block) {  // transformers first builds full attention in every layer, and then replaces it in some
        require_positive(m.kv_heads);
        require_positive(m.head_dim);
      }
      lightning_attention(b, "self_attn", m);
    });
    b.repeat("layers", m.layers.out,
             [&] { attention(b, "self_attn", {.hidden = s.d, .heads = s.n, .kv_heads = m.kv_heads, .head_dim = m.head_dim}); });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, defaults);
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = head_dim_or_share(c, s.d, s.n), block = c.integer("block_size", 256);
  return decoder(c, b, {s, n_kv, h, linear_layers(c, s.n_layers, [](std::uint64_t i) { return i % 2 == 0; }), block});
}

BackboneOutput published_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, defaults);
  const Expr n_kv = c.integer("num_key_value_heads", fixed_not_null(8).or_else(s.n));
  const Expr h = c.integer("head_dim", attribute.or_else(floor_divide(s.d, s.n)));
  const auto types = c.integers("attn_type_list");
  if (!types)
    c.refuse(ErrorCode::missing_field, "attn_type_list",
             "must be given, with 0 for each layer with lightning attention and 1 for the others.");
  c.require_length("attn_type_list", types->size(), s.n_layers);
  std::vector<std::string_view> kinds;
  for (const std::int64_t type : *types) kinds.emplace_back(type == 0 ? "linear_attention" : "full_attention");
  const Split layers = linear_layers(c, s.n_layers, kinds);
  if (c.integer("shared_intermediate_size", attribute.or_else(c.literal(0))).decide() > 0)
    c.refuse(ErrorCode::unsupported, "shared_intermediate_size", "must be 0, because no published model has shared experts.");
  return decoder(c, b, {s, n_kv, h, layers, {}});
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
extern const Family minimax_text_01{
    .model_type = "minimax_text_01",
    .summary = "MiniMax-Text-01 as published: like Mixtral, with lightning attention in most layers.",
    .classes = {"MiniMaxText01", heads::causal_lm | heads::base | heads::sequence},
    .backbone = published_backbone,
    .own_code = true,
};
extern const Family minimax_m1{
    .model_type = "minimax_m1",
    .summary = "MiniMax-M1 as published, like MiniMax-Text-01.",
    .classes = {"MiniMaxM1", heads::causal_lm | heads::base | heads::sequence},
    .backbone = published_backbone,
    .own_code = true,
};

}  // namespace param_ledger
