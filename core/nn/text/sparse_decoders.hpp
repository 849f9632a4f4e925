#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

// Decoders that have a mixture of experts in the place of the feed-forward block, in all or in some layers.

/// What a type's configuration calls the numbers of its mixture, and their defaults.
struct MixtureFields {
  std::uint64_t count;
  std::optional<std::uint64_t> active;       ///< none: left empty where it is not said (`require_active`)
  std::uint64_t inner = 0;                   ///< of one expert; 0: the field has been read already
  std::optional<std::uint64_t> shared = {};  ///< experts that every token uses, stored as one; none: no such field
  Text count_field = {}, active_field = {};  ///< else n_routed_experts, num_experts_per_tok
  Text inner_field = {}, shared_field = {};  ///< else moe_intermediate_size, n_shared_experts
};

/// Reads the numbers of a mixture into `m`, which says the rest.
Mixture mixture_fields(Config c, Expr hidden, const MixtureFields& fields, Mixture m = {});

/// Throws Error{missing_field} where the configuration leaves open how many experts a token goes to, and `layers` have that mixture.
void require_active(Config c, const Mixture& m, const IndexSet& layers, Text field = "num_experts_per_tok");

// Which layers have a mixture (`in`) and which a dense block (`out`):

/// All of them have one.
inline Split sparse_everywhere(Expr n_layers) { return {all(n_layers), {}}; }
/// All but the first `n_dense`.
inline Split dense_first(Expr n_layers, Expr n_dense) { return {between(n_dense, n_layers), first(n_dense, n_layers)}; }
/// Of the layers after the first `n_dense` those that moe_layer_freq leaves: every n-th, or those with a 1 in its list.
Split stepped_sparse_layers(Config c, Expr n_layers, Expr n_dense);
/// Those that mlp_layer_types calls "sparse", not "dense"; `otherwise` where it is missing or null.
Split listed_sparse_layers(Config c, Expr n_layers, const Split& otherwise);
inline Split listed_sparse_layers(Config c, Expr n_layers, Expr n_dense) {
  return listed_sparse_layers(c, n_layers, dense_first(n_layers, n_dense));
}

/// The feed-forward blocks of all layers.
struct SparseFeedForward {
  Split layers;  ///< `in`: those with a mixture; `out`: those with a dense block
  Mixture mixture;
  Expr dense = {};  ///< inner width of a dense block; may be empty where there is none
  GatedNames dense_names = {};
  bool dense_bias = false;
  bool dense_fused = false;  ///< gate and up in one
  Text name = {};            ///< of either, else "mlp"
};

/// Records `layers.[0-2].mlp.gate_proj` …, `layers.[3-60].mlp.gate` …
void sparse_feed_forward(Builder& b, const SparseFeedForward& m);

/// A decoder with such blocks.
struct SparseDecoder {
  DecoderSizes sizes;
  SparseFeedForward feed_forward;
  Norm norm = Norm::rms;
  Text table = {};  ///< else "embed_tokens"
  /// The norms of a layer, as far as there are: the first and those after attention; else input_layernorm and
  /// post_attention_layernorm.
  std::array<Text, 4> norms = {};
};

/// Of such a decoder what comes before attention and what comes after it.
Tensor sparse_decoder_before(Builder& b, const SparseDecoder& m);
BackboneOutput sparse_decoder_after(Builder& b, const SparseDecoder& m, Tensor table);

/// Records embed_tokens, layers with the attention that `attend` records for all of them, and norm.
template <class Attend>
BackboneOutput sparse_decoder(Builder& b, const SparseDecoder& m, const Attend& attend) {
  const Tensor table = sparse_decoder_before(b, m);
  attend();
  return sparse_decoder_after(b, m, table);
}
/// The same with `self_attn` of the usual kind, or latent.
BackboneOutput sparse_decoder(Builder& b, const SparseDecoder& m, const Attention& a);
BackboneOutput sparse_decoder(Builder& b, const SparseDecoder& m, const LatentAttention& a);

}  // namespace param_ledger
