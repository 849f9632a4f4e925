#pragma once

#include <cstdint>
#include <optional>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

// DeBERTa's layers: as BERT's, with attention that also weighs relative positions, by projections of its own or the token's.
// Source: transformers, models/deberta_v2, sew_d.

/// A type's defaults of how positions are weighed.
struct DebertaDefaults {
  bool relative = false, shared_keys = false;
  bool both_ways = false;  ///< pos_att_type is "c2p" and "p2c"
  std::optional<std::uint64_t> buckets = {};
  Text norm = "none";
};

/// What layers say of themselves.
struct Deberta {
  Expr hidden, inner, heads, n_layers, positions;
  bool relative = false, relative_norm = false;
  bool by_key = false, by_query = false;  ///< projections of their own
  Expr reach = {};                        ///< relative positions on each side
  Expr head_dim = {};                     ///< empty: each head has its share of the hidden size
  Expr kernel = {}, groups = {};          ///< of a convolution beside the first layer; empty: there is none
};

/// Which positions attention weighs, "c2p" or "p2c": pos_att_type is a text or a list of them.
bool deberta_weighs(Config c, Text word, bool fallback = false);
/// A number of positions, none where it is below 1.
std::optional<Expr> deberta_positions(Config c, Text field, std::optional<std::uint64_t> fallback = {});
/// Reads relative_attention, share_att_key, pos_att_type, position_buckets, max_relative_positions, norm_rel_ebd, conv_kernel_size,
/// conv_groups and attention_head_size into the sizes `m` that were read.
Deberta deberta_fields(Config c, Deberta m, const DebertaDefaults& defaults);
/// `encoder.layer.[0-23].attention.self.query_proj` …, `encoder.rel_embeddings`, LayerNorm, conv.
void deberta_layers(Builder& b, const Deberta& m);

}  // namespace param_ledger
