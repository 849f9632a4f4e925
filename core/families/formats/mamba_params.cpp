// Mamba-2 from Mistral's own params.json (Codestral Mamba).
// Source: mistral_inference, mamba.py; mamba_ssm 2, MambaLMHeadModel and Mamba2, with their defaults.

#include "core/nn/text/params_json.hpp"
#include "core/nn/text/state_space.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Mamba", Head::causal_lm, "model.backbone"}};

constexpr Text harmless[] = {"residual_in_fp32", "fused_add_norm"};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("dim", required(4096)), n_layers = c.integer("n_layers", required(64));
  const Expr tokens = c.integer("vocab_size", required(32768)), multiple = c.integer("pad_vocab_size_multiple", 8, 1);
  const Expr groups = c.integer("n_groups", required(8));
  const Norm kind = c.flag("rms_norm", true) ? Norm::rms : Norm::layer;
  const bool tied = c.flag("tie_embeddings", true);
  const Expr inner = 2 * d, head = c.literal(64);
  refuse_unknown_keys(c, harmless);
  const Tensor table = embedding(b, "embedding", ceil_divide(tokens, multiple) * multiple, d, TensorRole::token_embedding);
  b.repeat("layers", all(n_layers), [&] {
    require_multiple(inner, head);
    norm(b, kind, "norm", d);
    mamba2_mixer(b, "mixer",
                 {.hidden = d,
                  .inner = inner,
                  .heads = floor_divide(inner, head),
                  .groups = groups,
                  .state = c.literal(128),
                  .kernel = c.literal(4)});
  });
  norm(b, kind, "norm_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = tied, .language_model = "model.lm_head"};
}

constexpr Text keys[] = {"n_groups", "pad_vocab_size_multiple"};

}  // namespace

extern const Family mamba_params{.model_type = "mamba_params",
                                 .summary = "Mamba-2 (Codestral Mamba), from Mistral's params.json.",
                                 .classes = {.listed = classes},
                                 .backbone = backbone,
                                 .head = params_json_head,
                                 .own_code = true,
                                 .format_keys = {.all = params_json_keys, .one_of = keys, .word = "mamba"}};

}  // namespace param_ledger
