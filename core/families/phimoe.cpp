// Phi-3.5-MoE: a mixture of experts in each layer as Mixtral's, with LayerNorms and switches for biases.
// Source: transformers, models/phimoe.

#include "core/families.hpp"
#include "core/sparse_decoders.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 6400, 32, 32064, 32});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.attribute("head_dim", floor_divide(s.d, s.n));
  const bool bias = c.flag("attention_bias", false);
  const Mixture m = mixture_fields(c, s.d, {.count = 16, .active = 2, .count_field = "num_local_experts"}, mixtral_experts(s.f));
  Backbone out =
      sparse_decoder(b, {s, {.layers = {all(s.n_layers), {}}, .mixture = m, .name = "block_sparse_moe"}, Norm::layer},
                     Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias});
  out.language_model_bias = c.flag("lm_head_bias", false);
  return out;
}

}  // namespace

const Family phimoe{"phimoe",
                    "As Mixtral, with LayerNorms and switches for biases.",
                    {"Phimoe", heads::causal_lm | heads::base | heads::sequence},
                    {},
                    backbone};

}  // namespace param_ledger
