// Phi-3.5-MoE: like Mixtral, with layer norms, and with fields that add biases. Source: transformers, models/phimoe.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 6400, 32, 32064, 32});
  const Attention a = attention_fields(c, s, fixed(8), attribute);
  const Mixture m = mixture_fields(c, s.d, {.count = 16, .active = 2, .count_field = "num_local_experts"}, mixtral_experts(s.f));
  if (m.active.decide() != 2)
    c.refuse(ErrorCode::unsupported, "num_experts_per_tok", "must be 2: the router always selects two experts.", Refused::router_width);
  BackboneOutput out =
      sparse_decoder(b, {s, {.layers = sparse_everywhere(s.n_layers), .mixture = m, .name = "block_sparse_moe"}, Norm::layer}, a);
  out.language_model_bias = c.flag("lm_head_bias", false);
  return out;
}

}  // namespace

extern const Family phimoe{
    .model_type = "phimoe",
    .summary = "Like Mixtral, with LayerNorm and optional biases.",
    .classes = {"Phimoe", heads::causal_lm | heads::base | heads::sequence},
    .backbone = backbone,
    .cache = caches::windowed(),
};

}  // namespace param_ledger
