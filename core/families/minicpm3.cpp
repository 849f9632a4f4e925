// MiniCPM 3: latent attention in a dense decoder. The head is tied by default. The default dimension of a value head is hidden ÷ heads.
// Source: transformers, models/minicpm3.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes sizes = decoder_sizes(c, {2560, 6400, 62, 73448, 40});
  const LatentAttention latent =
      latent_attention_fields(c, sizes.d, sizes.n, {.q_rank = 768, .kv_rank = 256, .nope_dim = 64, .rope_dim = 32, .value_dim = 0});
  require_multiple(sizes.d, sizes.n);
  BackboneOutput out = latent_decoder(b, sizes, latent, c.flag("mlp_bias", false));
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family minicpm3{
    .model_type = "minicpm3",
    .summary = "Dense decoder with multi-head latent attention (MLA); tied embeddings.",
    .classes = {"MiniCPM3", heads::decoder | heads::sequence},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
