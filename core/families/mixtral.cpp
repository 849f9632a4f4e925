// Mixtral: like Mistral, with a mixture of experts instead of each feed-forward block.
// Source: transformers, models/mixtral.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};  // transformers' attribute_map for this type

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 14336, 32, 32000, 32});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = head_dim_or_share(c, s.d, s.n);
  const Mixture m = mixture_fields(c, s.d, {.count = 8, .active = 2, .count_field = "num_local_experts"}, mixtral_experts(s.f));
  return sparse_decoder(b, {s, {.layers = sparse_everywhere(s.n_layers), .mixture = m, .name = "block_sparse_moe"}},
                        Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h});
}

}  // namespace

extern const Family mixtral{
    .model_type = "mixtral",
    .summary = "Like Mistral, with a mixture of experts in each layer.",
    .classes = {"Mixtral", heads::all},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::windowed(),
    .peft = PeftExperts::converted,
};

}  // namespace param_ledger
