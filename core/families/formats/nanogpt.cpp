// nanoGPT: GPT-2 in one file, with or without biases. Source: GPTConfig and GPT of its model.py.

#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/params_json.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"GPT", Head::causal_lm, ""}};

constexpr Text harmless[] = {"dropout", "model_type"};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("n_embd", 768), n_layers = c.integer("n_layer", 12), n = c.integer("n_head", 12, 1);
  const Expr vocab = c.integer("vocab_size", 50304), n_positions = c.integer("block_size", 1024);
  const bool bias = c.flag("bias", true);
  refuse_unknown_keys(c, harmless);
  const Norm kind = bias ? Norm::layer : Norm::unbiased;
  require_multiple(d, n);
  Tensor table;
  b.scope("transformer", [&] {
    table = embedding(b, "wte", vocab, d, TensorRole::token_embedding);
    embedding(b, "wpe", n_positions, d, TensorRole::position_embedding);
    b.repeat("h", all(n_layers), [&] {
      norm(b, kind, "ln_1", d);
      attention(b, "attn", {.hidden = d, .heads = n, .qkv_bias = bias, .output_bias = bias, .fused = "c_attn", .o = "c_proj"});
      norm(b, kind, "ln_2", d);
      mlp(b, "mlp", d, 4 * d, bias, "c_fc", "c_proj");
    });
    norm(b, kind, "ln_f", d);
  });
  return {.hidden = d, .embedding = table, .tie_by_default = true};
}

constexpr Text all_keys[] = {"block_size", "n_layer", "n_embd"};

}  // namespace

extern const Family nanogpt{
    .model_type = "nanogpt",
    .summary = "nanoGPT, from its GPTConfig: GPT-2 with or without biases.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = params_json_head,
    .own_code = true,
    .format_keys = {.all = all_keys, .fallback = true},
};

}  // namespace param_ledger
