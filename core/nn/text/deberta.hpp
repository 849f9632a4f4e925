#pragma once

#include <cstdint>
#include <optional>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

// The layers of DeBERTa-v2 and SEW-D. They are like BERT's, but attention can also use relative positions, which have their own projections
// or share those of the tokens. DeBERTa uses has_pos_att_type and deberta_positions, too. Source: transformers, models/deberta_v2, sew_d.

/// A model type's defaults for attention to relative positions.
struct DebertaDefaults {
  bool relative = false, shared_keys = false;
  bool both_ways = false;  ///< whether pos_att_type contains both "c2p" and "p2c" by default
  std::optional<std::uint64_t> buckets = {};
  Text norm = "none";
};

/// The sizes of DeBERTa-v2's layers.
struct Deberta {
  Expr hidden, inner, heads, n_layers, positions;
  bool relative = false, relative_norm = false;
  bool by_key = false, by_query = false;  ///< whether relative positions have their own key and query projections
  Expr reach = {};                        ///< how many relative positions there are on each side
  Expr head_dim = {};                     ///< dimension of a head; empty: hidden ÷ heads
  Expr kernel = {}, groups = {};          ///< kernel size and groups of a convolution that runs parallel to the first layer; empty: no
                                          ///< convolution
};

/// Whether pos_att_type, a string or a list, contains `word` ("c2p" or "p2c"). `fallback` is the result if the field is missing.
bool has_pos_att_type(Config c, Text word, bool fallback = false);
/// Reads a number of positions. Returns nothing if it is less than 1, or if it is missing and has no default. Throws for null.
std::optional<Expr> deberta_positions(Config c, Text field, std::optional<std::uint64_t> fallback = {});
/// Reads relative_attention, share_att_key, pos_att_type, position_buckets, max_relative_positions, norm_rel_ebd, conv_kernel_size,
/// conv_groups and attention_head_size. `m` contains the sizes that the caller has already read.
Deberta deberta_fields(Config c, Deberta m, const DebertaDefaults& defaults);
/// Records the layers, e.g. `encoder.layer.[0-23].attention.self.query_proj`, and the tensors that `m` asks for in addition:
/// rel_embeddings, its norm `encoder.LayerNorm`, and `encoder.conv`.
void deberta_layers(Builder& b, const Deberta& m);

}  // namespace param_ledger
