// Zamba2: Mamba-2 layers. Hybrid layers begin with a shared transformer block. There are num_mem_blocks such blocks, which are used in
// turn, and each use has its own low-rank adapters. If tie_word_embeddings is false, transformers does not share the blocks. Source:
// transformers, models/zamba2.

#include "core/builder/inference.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"layer_types", "layers_block_type"}, {"head_dim", "attention_head_dim"}};

constexpr std::string_view kinds_of_layers[] = {"linear_attention", "hybrid", "mamba"};

std::vector<std::string_view> default_kinds() {
  constexpr std::size_t hybrids[] = {6, 12, 18, 24, 30, 36, 42, 47, 51};
  std::vector<std::string_view> kinds(54, "linear_attention");
  for (const std::size_t i : hybrids) kinds[i] = "hybrid";
  return kinds;
}

std::vector<std::uint64_t> indices_of(const std::vector<std::string_view>& kinds, Text kind) {
  std::vector<std::uint64_t> indices;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == kind) indices.push_back(i);
  return indices;
}

/// The length of the adapter lists: the number of entries in hybrid_layer_ids or, if that is missing, the number of hybrid layers.
std::uint64_t adapter_count(Config c, const std::vector<std::string_view>& kinds) {
  if (c.peek("hybrid_layer_ids").is_null()) c.refuse(ErrorCode::wrong_type, "hybrid_layer_ids", "must be a list of integers, not null.");
  const std::optional<std::vector<std::int64_t>> ids = c.integers("hybrid_layer_ids");
  return ids ? ids->size() : indices_of(kinds, "hybrid").size();
}

/// The sizes of a transformer block that hybrid layers share.
struct SharedBlock {
  Expr d, d_attention, heads, kv_heads, head_dim, inner, rank;
  bool bias, attention_adapters;
};

void attention_and_feed_forward(Builder& b, const SharedBlock& s) {
  rms_norm(b, "input_layernorm", s.d_attention);
  attention(b, "self_attn", {.hidden = s.d_attention, .heads = s.heads, .kv_heads = s.kv_heads, .head_dim = s.head_dim, .output = s.d});
  rms_norm(b, "pre_ff_layernorm", s.d);
  fused_gated_mlp(b, "feed_forward", s.d, s.inner, s.bias);
}

/// The number of elements in the adapters for one use of a block.
Expr adapter_size(const SharedBlock& s) {
  const Expr feed_forward = s.rank * (s.d + 2 * s.inner);
  return s.attention_adapters ? feed_forward + 3 * (2 * (s.rank * s.d_attention)) : feed_forward;
}

/// Records the adapters of one block for the given uses. Uses are numbered over all hybrid layers.
void adapters(Builder& b, const SharedBlock& s, const IndexSet& uses) {
  b.part(Part::adapter, [&] {
    const auto adapter = [&](Text list, Expr in, Expr out) {
      b.repeat(list, uses, [&] {
        linear(b, "0", in, s.rank);
        linear(b, "1", s.rank, out);
      });
    };
    if (s.attention_adapters)
      for (const Text list : {"self_attn.linear_q_adapter_list", "self_attn.linear_k_adapter_list", "self_attn.linear_v_adapter_list"})
        adapter(list, s.d_attention, s.d_attention);
    adapter("feed_forward.gate_up_proj_adapter_list", s.d, 2 * s.inner);
  });
}

/// The layers that use one of the shared blocks, and the positions of their adapters.
struct Turns {
  std::vector<std::uint64_t> layers;
  std::vector<std::uint64_t> adapters;
};

/// Records the transformer blocks. The i-th hybrid layer, counted from 0, uses block i % n_blocks. If `tied`, a block is recorded in the
/// first layer that uses it, and the later layers are tied to that layer. Otherwise each layer has its own block.
void shared_blocks(Builder& b, const SharedBlock& s, Expr n_blocks, const std::vector<std::uint64_t>& hybrids, Expr n_hybrids,
                   std::uint64_t n_adapters, bool tied) {
  if (hybrids.empty()) return;
  require_positive(n_blocks);
  require_positive(s.kv_heads);
  require_positive(s.head_dim);
  const bool fewer = n_blocks.decide() < hybrids.size();
  const std::size_t n_turns = fewer ? static_cast<std::size_t>(n_blocks.decide()) : hybrids.size();
  const IndexSet holders = tied && fewer ? listed(std::span(hybrids).first(n_turns), n_blocks) : listed(hybrids, n_hybrids);
  b.repeat("layers", holders, [&] { b.scope("shared_transformer", [&] { attention_and_feed_forward(b, s); }); });

  for (std::size_t block = 0; block < n_turns; ++block) {
    Turns turns;
    for (std::size_t i = block; i < hybrids.size(); i += n_turns) turns.layers.push_back(hybrids[i]);
    for (std::uint64_t i = block; i < n_adapters; i += static_cast<std::uint64_t>(n_blocks.decide())) turns.adapters.push_back(i);
    const bool every_use = turns.adapters.size() == n_hybrids.decide();
    const IndexSet all_uses = listed(turns.adapters, every_use ? n_hybrids : b.pool().literal(turns.adapters.size()));
    // A layer does not multiply with the adapters for the block's other uses.
    if (const std::size_t n_uses = turns.adapters.size(); n_uses > 0)
      record_skipped_macs(b, b.pool().literal(turns.layers.size()) * b.pool().literal(n_uses - 1) * adapter_size(s));
    const std::span<const std::uint64_t> later = std::span(turns.layers).subspan(tied ? 1 : turns.layers.size());
    const IndexSet own = tied ? only(turns.layers.front()) : listed(turns.layers, b.pool().literal(turns.layers.size()));
    b.repeat("layers", own, [&] { b.scope("shared_transformer", [&] { adapters(b, s, all_uses); }); });
    b.repeat_tied("layers", listed(later, b.pool().literal(later.size())), turns.layers.front(), [&] {
      b.scope("shared_transformer", [&] {
        attention_and_feed_forward(b, s);
        for (const std::uint64_t use : turns.adapters) adapters(b, s, only(use));
      });
    });
  }
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2560), n_layers = c.integer("num_hidden_layers", 54), vocab = c.integer("vocab_size", 32000);
  if (c.peek("layers_block_type").is_null()) c.refuse(ErrorCode::wrong_type, "layers_block_type", "must be a list of strings, not null.");
  std::vector<std::string_view> kinds = c.words("layers_block_type", kinds_of_layers, default_kinds());
  c.require_length("layers_block_type", kinds.size(), n_layers);
  use_current_names(kinds);
  const IndexSet hybrids =
      layers_of(c, kinds, "hybrid", n_layers, "num_hybrid_layers", "L_h", "Layers preceded by a shared transformer block.");
  const IndexSet mixers = layers_of(c, kinds, "linear_attention", n_layers, "num_mamba_layers", "L_m", "Layers with only a Mamba-2 mixer.");
  const Expr n = c.integer("num_attention_heads", 32, 1), d_attention = c.integer("attention_hidden_size", attribute.or_else(2 * d));
  const SharedBlock shared{.d = d,
                           .d_attention = d_attention,
                           .heads = n,
                           .kv_heads = c.integer("num_key_value_heads", n),
                           .head_dim = c.integer("attention_head_dim", attribute.or_else(floor_divide(2 * d, n))),
                           .inner = c.integer("intermediate_size", unless_zero.or_else(4 * d)),
                           .rank = c.integer("adapter_rank", 128),
                           .bias = c.flag("add_bias_linear", false),
                           .attention_adapters = c.flag("use_shared_attention_adapter", false)};
  const Expr n_blocks = c.integer("num_mem_blocks", 1);
  const bool tied = c.flag("tie_word_embeddings", true);
  const Mamba2Mixer mixer{.hidden = d,
                          .inner = c.integer("mamba_expand", 2) * d,
                          .heads = c.integer("n_mamba_heads", 8, 1),
                          .groups = c.integer("mamba_ngroups", 1),
                          .state = c.integer("mamba_d_state", 64),
                          .kernel = c.integer("mamba_d_conv", 4),
                          .projection_bias = shared.bias};

  const Tensor table = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
  shared_blocks(b, shared, n_blocks, indices_of(kinds, "hybrid"), hybrids.count, adapter_count(c, kinds), tied);
  b.repeat("layers", hybrids, [&] {
    b.part(Part::adapter, [&] { linear(b, "linear", d, d); });
    rms_norm(b, "mamba_decoder.input_layernorm", d);
    mamba2_mixer(b, "mamba_decoder.mamba", mixer);
  });
  b.repeat("layers", mixers, [&] {
    rms_norm(b, "input_layernorm", d);
    mamba2_mixer(b, "mamba", mixer);
  });
  rms_norm(b, "final_layernorm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true};
}

}  // namespace

extern const Family zamba2{
    .model_type = "zamba2",
    .summary = "Mamba-2 layers with shared transformer blocks and per-use LoRA adapters; tied embeddings.",
    .classes = {"Zamba2", heads::decoder | heads::sequence},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
