#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

// Decoders in which some or all layers have a mixture of experts instead of a dense feed-forward block.

/// The names of a mixture's fields, and their defaults.
struct MixtureFields {
  std::uint64_t count;
  std::optional<std::uint64_t> active;       ///< default; not set: if the field is missing, Mixture::active stays empty
  std::uint64_t inner = 0;                   ///< inner width of one expert; 0: the caller has already read it
  std::optional<std::uint64_t> shared = {};  ///< number of shared experts, stored as one wider expert; not set: the type has no such field
  Text count_field = {}, active_field = {};  ///< field names for the number of experts and for the experts per token; null:
                                             ///< "n_routed_experts", "num_experts_per_tok"
  Text inner_field = {}, shared_field = {};  ///< field names for the experts' inner width and for the number of shared experts; null:
                                             ///< "moe_intermediate_size", "n_shared_experts"
};

/// Reads the sizes of a mixture of experts into `m`, which already contains the other settings.
Mixture mixture_fields(Config c, Expr hidden, const MixtureFields& fields, Mixture m = {});

// These functions divide layers into those with a mixture of experts (`in`) and those with a dense block (`out`):

/// Every layer has a mixture of experts.
inline Split sparse_everywhere(Expr n_layers) { return {all(n_layers), {}}; }
/// All layers except the first `n_dense` have a mixture of experts.
inline Split dense_first(Expr n_layers, Expr n_dense) { return {between(n_dense, n_layers), first(n_dense, n_layers)}; }
/// Among the layers after the first `n_dense`, those that moe_layer_freq selects have a mixture: those whose index is a multiple of it or,
/// if it is a list, those whose entry is not 0.
Split stepped_sparse_layers(Config c, Expr n_layers, Expr n_dense);
/// The layers i for which `kinds[i]`, an entry of mlp_layer_types, is "sparse" have a mixture. There may be more entries than layers.
Split sparse_layers_of(Config c, Expr n_layers, const std::vector<std::string_view>& kinds);
/// The layers that mlp_layer_types calls "sparse" have a mixture. If the field is missing or null, returns `otherwise`.
Split listed_sparse_layers(Config c, Expr n_layers, const Split& otherwise);
inline Split listed_sparse_layers(Config c, Expr n_layers, Expr n_dense) {
  return listed_sparse_layers(c, n_layers, dense_first(n_layers, n_dense));
}

/// The sizes and names of the feed-forward blocks in all layers.
struct SparseFeedForward {
  Split layers;  ///< `in`: layers with a mixture; `out`: layers with a dense block
  Mixture mixture;
  Expr dense = {};  ///< inner width of dense blocks; may be empty if there are none
  GatedNames dense_names = {};
  bool dense_bias = false;
  bool dense_fused = false;  ///< whether dense blocks have fused gate and up projections
  Text name = {};            ///< the name of the module that contains a dense block or a mixture; null: "mlp"
};

/// Records the feed-forward blocks, e.g. `layers.[0-2].mlp.gate_proj` (dense) and `layers.[3-60].mlp.gate` (a router).
void sparse_feed_forward(Builder& b, const SparseFeedForward& m);

/// A decoder with a mixture of experts in some or all layers.
struct SparseDecoder {
  DecoderSizes sizes;
  SparseFeedForward feed_forward;
  Norm norm = Norm::rms;
  Text table = {};  ///< name of the embedding table; null: "embed_tokens"
  /// The names of the norms in a layer, in order. If the first is empty, the norms are input_layernorm and post_attention_layernorm.
  std::array<Text, 4> norms = {};
};

/// `sparse_decoder_before` records the embedding table and the first norm of each layer, `sparse_decoder_after` the other norms of the
/// layers, the feed-forward blocks and the final norm. The caller records attention in between.
Tensor sparse_decoder_before(Builder& b, const SparseDecoder& m);
BackboneOutput sparse_decoder_after(Builder& b, const SparseDecoder& m, Tensor table);

/// Records the embedding table, the layers and the final norm. `attend` records the attention of all layers.
template <class Attend>
BackboneOutput sparse_decoder(Builder& b, const SparseDecoder& m, const Attend& attend) {
  const Tensor table = sparse_decoder_before(b, m);
  attend();
  return sparse_decoder_after(b, m, table);
}
/// Record the embedding table, the layers with the attention `a` under the name `self_attn`, and the final norm.
BackboneOutput sparse_decoder(Builder& b, const SparseDecoder& m, const Attention& a);
BackboneOutput sparse_decoder(Builder& b, const SparseDecoder& m, const LatentAttention& a);

}  // namespace param_ledger
