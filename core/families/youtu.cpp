// Youtu: multi-head latent attention (MLA) in a dense decoder with a head that is tied by default.
// Source: transformers, models/youtu.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes sizes = decoder_sizes(c, {2048, 6144, 32, 128256, 16});
  BackboneOutput out = latent_decoder(b, sizes, latent_attention_fields(c, sizes.d, sizes.n));
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family youtu{
    .model_type = "youtu",
    .summary = "Youtu-LLM: dense decoder with multi-head latent attention (MLA); tied embeddings.",
    .classes = {"Youtu", heads::decoder},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
