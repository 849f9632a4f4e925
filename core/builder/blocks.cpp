#include "core/builder/blocks.hpp"

#include <algorithm>

namespace param_ledger {

std::string_view spelling(Mechanism mechanism) {
  static constexpr std::string_view names[] = {"",
                                               "attention",
                                               "gated_attention",
                                               "latent_attention",
                                               "gated_latent_attention",
                                               "mixed_attention",
                                               "branch_gates",
                                               "span_convolution",
                                               "focal_modulation",
                                               "deformable_attention",
                                               "sparse_indexer",
                                               "gated_feed_forward",
                                               "feed_forward",
                                               "router",
                                               "mamba",
                                               "mamba_2",
                                               "short_convolution",
                                               "gated_delta_net",
                                               "kimi_delta_attention",
                                               "lightning_attention",
                                               "rwkv",
                                               "rwkv_7",
                                               "rwkv_channel_mixing",
                                               "rg_lru",
                                               "mlstm",
                                               "lstm",
                                               "prediction_projection",
                                               "hyper_connection",
                                               "rms_norm",
                                               "gated_rms_norm",
                                               "unbiased_layer_norm",
                                               "layer_norm",
                                               "batch_norm",
                                               "group_norm",
                                               "cumulative_norm",
                                               "response_norm",
                                               "adaptive_norm",
                                               "residual_weights",
                                               "relative_position_bias",
                                               "sinusoidal_positions",
                                               "fixed_values",
                                               "patch_embedding",
                                               "patch_merging",
                                               "stage_shortcut",
                                               "convolutional_stem",
                                               "convolutional_positions",
                                               "pooler",
                                               "masked_prediction",
                                               "classifier",
                                               "quantization_scales",
                                               "prediction_layer"};
  return names[static_cast<std::size_t>(mechanism)];
}

std::string_view spelling(Gate gate) {
  static constexpr std::string_view names[] = {"activated", "clamped", "scaled"};
  return names[static_cast<std::size_t>(gate)];
}

std::vector<const Block*> blocks_around(std::span<const BlockRows> blocks, std::size_t row) {
  std::vector<const Block*> out;
  for (const BlockRows& rows : blocks)
    if (rows.first <= row && row < rows.last) out.push_back(&rows.block);
  return out;
}

bool is_transposed(const std::vector<const Block*>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [](const Block* block) { return block->transposed; });
}

}  // namespace param_ledger
