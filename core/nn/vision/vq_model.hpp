#pragma once

#include <vector>

#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// An image tokenizer (VQ-VAE): an encoder with stages of residual blocks, which all except the last end by halving height and width, and a
// codebook. In Janus, a decoder reconstructs images from codes.

/// The sizes of a VQ-VAE.
struct VqModel {
  Expr in, base, latent, width,
      codes;                   ///< in: image channels; base: channels of the first convolution; latent: channels of the encoder's output;
                               ///< width: width of a code; codes: number of codes
  std::vector<Expr> factors;   ///< the channels of each stage as multiples of `base`
  Expr n_blocks;               ///< residual blocks per stage of the encoder; the decoder has one more per stage
  bool double_latent = false;  ///< whether the encoder's output has 2 × `latent` channels
  std::vector<bool> attends = {};  ///< for each stage, whether attention follows each of its blocks
  bool middle_attends = true;
};
/// Reads in_channels, base_channels, latent_channels, embed_dim (`width`), num_embeddings (`codes`), channel_multiplier, num_res_blocks and
/// double_latent. Throws if there are no stages.
VqModel vq_fields(Config c, std::uint64_t width, std::uint64_t codes);
/// Records `encoder.conv_in` …, `quantize.embedding`, quant_conv, post_quant_conv. Source: transformers, models/chameleon, janus.
void vq_encoder(Builder& b, const VqModel& m);
/// Records `decoder.conv_in` …, conv_out. Source: transformers, models/janus.
void vq_decoder(Builder& b, const VqModel& m, Expr out);

}  // namespace param_ledger
