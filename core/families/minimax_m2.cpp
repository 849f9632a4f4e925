// MiniMax-M2: like Mixtral, with a router bias, and with norms over all query heads and over all key heads together. Source: transformers,
// models/minimax_m2.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {3072, 1536, 62, 200064, 48});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", 128);
  Mixture m = mixture_fields(c, s.d, {.count = 256, .active = 8, .count_field = "num_local_experts"}, mixtral_experts(s.f));
  m.correction = RouterBias::buffer;
  m.correction_name = "e_score_correction_bias";
  return sparse_decoder(b, {s, {.layers = sparse_everywhere(s.n_layers), .mixture = m, .name = "block_sparse_moe"}},
                        Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .head_norms = QkNorm::whole});
}

}  // namespace

extern const Family minimax_m2{
    .model_type = "minimax_m2",
    .summary = "Like Mixtral, with a router bias and QK-Norm over all heads.",
    .classes = {"MiniMaxM2", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
