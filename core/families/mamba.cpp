// Mamba: no attention; each layer is one selective state-space mixer.
// Source: transformers, models/mamba.

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"MambaForCausalLM", Head::causal_lm, "backbone"},
    {"MambaModel", Head::none, ""},
};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 768), n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 50280);
  const Expr inner = c.attribute("intermediate_size", c.integer("expand", 2) * d);
  const Expr state = c.integer("state_size", 16), kernel = c.integer("conv_kernel", 4);
  const Expr step_rank = c.automatic("time_step_rank", ceil_divide(d, c.literal(16)));
  const bool bias = c.flag("use_bias", false), conv_bias = c.flag("use_conv_bias", true);

  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embeddings", vocab, d);
    b.repeat("layers", all(n_layers), [&] {
      require_positive(inner);
      rms_norm(b, "norm", d);
      b.part(Part::state_space, [&] {
        b.scope("mixer", [&] {
          linear(b, "in_proj", d, 2 * inner, bias);
          depthwise_conv1d(b, "conv1d", inner, kernel, conv_bias);
          linear(b, "x_proj", inner, step_rank + 2 * state);
          linear(b, "dt_proj", step_rank, inner, true);
          b.parameter("A_log", {inner, state});
          b.parameter("D", {inner});
          linear(b, "out_proj", inner, d, bias);
        });
      });
    });
    rms_norm(b, "norm_f", d);
  });
  decoder_head(c, b, {.hidden = d, .vocabulary = vocab, .embedding = "embeddings", .tie_by_default = true});
}

}  // namespace

const Family mamba{"mamba", "A selective state-space mixer in each layer, no attention; tied head.", classes, {}, record};

}  // namespace param_ledger
