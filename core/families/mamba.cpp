// Mamba: no attention; each layer is a selective state-space mixer. Falcon Mamba adds norms without weights.
// Source: transformers, models/mamba, falcon_mamba.

#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 768), n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 50280);
  const MambaMixer mixer{.hidden = d,
                         .inner = c.integer("intermediate_size", attribute.or_else(c.integer("expand", 2) * d)),
                         .state = c.integer("state_size", 16),
                         .step_rank = c.integer("time_step_rank", unless_auto.or_else(ceil_divide(d, c.literal(16)))),
                         .kernel = c.integer("conv_kernel", 4),
                         .conv_bias = c.flag("use_conv_bias", true),
                         .projection_bias = c.flag("use_bias", false)};
  const Tensor table = embedding(b, "embeddings", vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(n_layers), [&] {
    rms_norm(b, "norm", d);
    mamba_mixer(b, "mixer", mixer);
  });
  rms_norm(b, "norm_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true};
}

}  // namespace

extern const Family mamba{
    .model_type = "mamba",
    .summary = "Selective state-space model without attention; tied embeddings.",
    .classes = {"Mamba", heads::decoder, "backbone"},
    .backbone = backbone,
    .cache = caches::all_tokens,
};
extern const Family falcon_mamba{
    .model_type = "falcon_mamba",
    .summary = "Like Mamba, with parameter-free norms.",
    .classes = {"FalconMamba", heads::decoder, "backbone"},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
