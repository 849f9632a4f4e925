#pragma once

#include "core/builder/family.hpp"

namespace param_ledger {

// Nemotron-H's decoder, which is also part of other model types. Source: transformers, models/nemotron_h.

/// Alternative names of Nemotron-H's fields.
constexpr Alias nemotron_h_aliases[] = {
    {"layer_types", "layers_block_type"}, {"num_local_experts", "n_routed_experts"}, {"mamba_n_groups", "n_groups"},
    {"mamba_d_conv", "conv_kernel"},      {"mamba_conv_bias", "use_conv_bias"},      {"mamba_expand", "expand"},
};

/// Defaults that differ between model types with Nemotron-H's structure.
struct NemotronDefaults {
  std::uint64_t hidden = 4096, inner = 21504, kv_heads = 8, mixer_heads = 128, experts = 8, active = 2, expert_inner = 7688,
                shared_inner = 7688;
  Text pattern = {};  ///< a letter for each layer; empty: one layer of each kind
};

/// Module names that differ between model types with Nemotron-H's structure.
struct NemotronNames {
  Text embeddings = "embeddings", last_norm = "norm_f";
  Text scalars = {};  ///< name of the module that contains a mixer's dt_bias, A_log and D; empty: the mixer itself
};

/// Records embeddings, layers and the final norm.
BackboneOutput nemotron_h_backbone(Config c, Builder& b, const NemotronDefaults& defaults = {}, const NemotronNames& names = {});

}  // namespace param_ledger
