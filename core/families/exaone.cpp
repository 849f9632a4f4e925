// EXAONE 3: like Llama, with tensor names similar to GPT-2's.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_hidden_layers", "num_layers"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2048), n_layers = c.integer("num_layers", 32), vocab = c.integer("vocab_size", 102400),
             n = c.integer("num_attention_heads", 32, 1);
  const Expr n_kv = c.integer("num_key_value_heads", n), h = c.integer("head_dim", floor_divide(d, n));
  const Expr given = c.integer("intermediate_size", 4 * d), f = is_zero(given) ? 4 * d : given;
  require_equal(n * h, d);
  const Tensor table = embedding(b, "wte", vocab, d, TensorRole::token_embedding);
  b.repeat("h", all(n_layers), [&] {
    rms_norm(b, "ln_1", d);
    attention(b, "attn.attention", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .o = "out_proj"});
    rms_norm(b, "ln_2", d);
    b.scope(Part::feed_forward, "mlp", [&] {
      linear(b, "c_fc_0", d, f, false, TensorRole::gate);
      linear(b, "c_fc_1", d, f, false, TensorRole::up);
      linear(b, "c_proj", f, d, false, TensorRole::down);
    });
  });
  rms_norm(b, "ln_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true};
}

}  // namespace

extern const Family exaone{
    .model_type = "exaone",
    .summary = "Like Llama, with GPT-2's tensor names.",
    .classes = {"Exaone", heads::decoder, "transformer"},
    .aliases = aliases,
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
