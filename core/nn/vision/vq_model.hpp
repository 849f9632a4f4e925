#pragma once

#include <vector>

#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// The model that makes codes of an image: stages of residual blocks, each of half the height and width, and a codebook. A decoder
// paints an image of codes.

/// What a configuration says of it.
struct VqModel {
  Expr in, base, latent, width, codes;  ///< colours; channels of the first stage, of the last convolution, of a code; how many codes
  std::vector<Expr> factors;            ///< of each stage's channels
  Expr n_blocks;                        ///< residual blocks of each stage
  bool double_latent = false;
  std::vector<bool> attends = {};  ///< stages whose blocks are followed by attention
  bool middle_attends = true;
};
/// Reads in_channels, base_channels, latent_channels, embed_dim (`width`), num_embeddings (`codes`), channel_multiplier, num_res_blocks
/// and double_latent. Refuses a model without stages.
VqModel vq_fields(Config c, std::uint64_t width, std::uint64_t codes);
/// `encoder.conv_in` …, `quantize.embedding`, quant_conv, post_quant_conv. Source: transformers, models/chameleon, janus.
void vq_encoder(Builder& b, const VqModel& m);
/// `decoder.conv_in` …, conv_out. Source: transformers, models/janus.
void vq_decoder(Builder& b, const VqModel& m, Expr out);

}  // namespace param_ledger
