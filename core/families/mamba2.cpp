// Mamba-2: as Mamba, with a mixer of heads and groups.
// Source: transformers, models/mamba2.

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"Mamba2ForCausalLM", Head::causal_lm, "backbone"},
    {"Mamba2Model", Head::none, ""},
};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), n_layers = c.integer("num_hidden_layers", 64), vocab = c.integer("vocab_size", 32768);
  const Expr inner = c.integer("expand", 2) * d, heads = c.integer("num_heads", 128), head_dim = c.integer("head_dim", 64);
  const Expr groups = c.integer("n_groups", 8), state = c.integer("state_size", 128), kernel = c.integer("conv_kernel", 4);
  const bool bias = c.flag("use_bias", false), conv_bias = c.flag("use_conv_bias", true);
  require_equal("num_heads", heads * head_dim, inner);

  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embeddings", vocab, d);
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "norm", d);
      mamba2_mixer(b, "mixer",
                   {.hidden = d,
                    .inner = inner,
                    .heads = heads,
                    .groups = groups,
                    .state = state,
                    .kernel = kernel,
                    .conv_bias = conv_bias,
                    .projection_bias = bias});
    });
    rms_norm(b, "norm_f", d);
  });
  decoder_head(c, b, {.hidden = d, .vocabulary = vocab, .embedding = "embeddings"});
}

}  // namespace

const Family mamba2{"mamba2", "As Mamba, with a mixer of heads and groups.", classes, {}, record};

}  // namespace param_ledger
