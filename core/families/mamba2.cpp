// Mamba-2: like Mamba, but its state-space mixer has heads and groups. Source: transformers, models/mamba2.

#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), n_layers = c.integer("num_hidden_layers", 64), vocab = c.integer("vocab_size", 32768);
  const Mamba2Mixer mixer{.hidden = d,
                          .inner = c.integer("expand", 2) * d,
                          .heads = c.integer("num_heads", 128),
                          .groups = c.integer("n_groups", 8),
                          .state = c.integer("state_size", 128),
                          .kernel = c.integer("conv_kernel", 4),
                          .conv_bias = c.flag("use_conv_bias", true),
                          .projection_bias = c.flag("use_bias", false)};
  require_equal(mixer.heads * c.integer("head_dim", 64), mixer.inner);
  const Tensor table = embedding(b, "embeddings", vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(n_layers), [&] {
    rms_norm(b, "norm", d);
    mamba2_mixer(b, "mixer", mixer);
  });
  rms_norm(b, "norm_f", d);
  return {.hidden = d, .embedding = table};
}

}  // namespace

extern const Family mamba2{
    .model_type = "mamba2",
    .summary = "Like Mamba, with multi-head state-space mixers (SSD).",
    .classes = {"Mamba2", heads::decoder, "backbone"},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
