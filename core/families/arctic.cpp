// Snowflake Arctic: like Mixtral. With parallel_attn_mlp_res, each mixture of experts has a dense feed-forward block in parallel, with the
// hidden size as its inner width. moe_layer_frequency selects the layers with a mixture. The others have a single dense block that is as
// wide as one expert.
// Source: Snowflake-Labs/transformers, branch arctic, models/arctic.

#include "core/nn/heads.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr GatedNames names{"w1", "w3", "w2"};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 14336, 32, 32000, 32});
  const Expr n_kv = c.integer("num_key_value_heads", s.n), n_experts = c.integer("num_local_experts", 8);
  const Expr n_active = c.integer("num_experts_per_tok", 1), step = c.integer("moe_layer_frequency", fixed(2), 1);
  const bool beside = c.flag("parallel_attn_mlp_res", false);
  const Split layers = split(c, s.n_layers, "num_moe_layers", "L_e", "Mixture-of-experts layers, as given by moe_layer_frequency.",
                             [&](std::size_t i) { return (i + 1) % step.decide() == 0; });
  return decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      require_multiple(s.d, s.n);
      require_multiple(s.n, n_kv);
      rms_norm(b, "input_layernorm", s.d);
      attention(b, "self_attn", {.hidden = s.d, .heads = s.n, .kv_heads = n_kv});
      rms_norm(b, "post_attention_layernorm", s.d);
    });
    b.repeat("layers", layers.in, [&] {
      mixture(b, "block_sparse_moe",
              {.hidden = s.d, .count = n_experts, .active = n_active, .inner = s.f, .gate = "w1", .up = "w3", .down = "w2"});
      if (!beside) return;
      rms_norm(b, "residual_layernorm", s.d);
      gated_mlp(b, "residual_mlp", s.d, s.d, false, names);
    });
    b.repeat("layers", layers.out, [&] { gated_mlp(b, "block_sparse_moe.mlp", s.d, s.f, false, names); });
  });
}

}  // namespace

extern const Family arctic{
    .model_type = "arctic",
    .summary = "Snowflake Arctic: a mixture of many experts in parallel with a dense feed-forward block.",
    .classes = {"Arctic", heads::decoder | heads::sequence},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
