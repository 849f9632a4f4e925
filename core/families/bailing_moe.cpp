// Ling and Ring of inclusionAI (Ant Group): like DeepSeekMoE, with a fused query, key and value projection. In the second generation,
// routers have a bias, QK-Norm is the default, and there can be multi-token-prediction layers. Source: modeling_bailing_moe.py as published
// in inclusionAI/Ling, modeling_bailing_moe_v2.py in inclusionAI/Ling-V2.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

/// The defaults and settings that differ between the two generations.
struct Generation {
  DecoderDefaults sizes;
  Default dense_inner, kv_heads, experts, inner;
  std::uint64_t active, shared, n_dense, head_dim;
  bool bias;
  bool second;
};

BackboneOutput decoder_of(Config c, Builder& b, const Generation& g) {
  const DecoderSizes s = decoder_sizes(c, g.sizes);
  const Expr f = g.second ? c.integer("intermediate_size", g.dense_inner) : c.optional_integer("intermediate_size").value_or(Expr{});
  const Expr n_kv = c.integer("num_key_value_heads", g.kv_heads, 1);
  const Expr share = floor_divide(s.d, s.n);
  const Expr h =
      c.integer("head_dim", g.second ? Default{Default::Missing::number, Null::allowed, Default::Sentinel::zero, g.head_dim, share}
                                     : unless_zero.or_else(share));
  const bool norms = g.second && c.flag("use_qk_norm", true);
  const Attention a{.hidden = s.d,
                    .heads = s.n,
                    .kv_heads = n_kv,
                    .head_dim = h,
                    .even_share = false,
                    .qkv_bias = c.flag("use_qkv_bias", false),
                    .output_bias = c.flag("use_bias", g.bias),
                    .head_norms = norms ? QkNorm::per_head : QkNorm::none,
                    .fused = "query_key_value",
                    .o = "dense",
                    .q_norm = "query_layernorm",
                    .k_norm = "key_layernorm"};
  const Json given = c.peek("num_experts");
  const bool dense = given && given.is_null();
  Mixture m{.hidden = s.d, .correction = g.second ? RouterBias::buffer : RouterBias::none, .correction_name = "gate.expert_bias"};
  Split layers{{}, all(s.n_layers)};
  if (dense) {
    c.ignore("num_experts", "null: all layers are dense.");
  } else {
    m.count = c.integer("num_experts", g.experts);
    m.active = c.integer("num_experts_per_tok", g.active);
    m.inner = c.integer("moe_intermediate_size", g.inner);
    if (const std::optional<Expr> shared = c.optional_integer("num_shared_experts", g.shared)) {
      m.shared = m.inner * *shared;
      m.shared_count = *shared;
    }
    layers = dense_first(s.n_layers, c.integer("first_k_dense_replace", g.n_dense));
  }
  if (!layers.out.empty() && !f) c.refuse(ErrorCode::missing_field, "intermediate_size", "must be given, because there are dense layers.");
  const SparseDecoder m_all{s, {.layers = layers, .mixture = m, .dense = f}, Norm::rms, "word_embeddings"};
  const Expr n_next = g.second ? c.integer("num_nextn_predict_layers", 0) : c.literal(0);
  if (dense && n_next.decide() > 0)
    c.refuse(ErrorCode::inconsistent, "num_nextn_predict_layers", "selects layers with a mixture of experts, but num_experts is null.");
  return sparse_decoder(b, m_all, [&] {
    b.repeat("layers", all(s.n_layers), [&] { attention(b, "attention", a); });
    b.repeat("layers", between(s.n_layers, s.n_layers + n_next), [&] {
      for (const Text name : {"input_layernorm", "post_attention_layernorm", "enorm", "hnorm", "final_layernorm"}) rms_norm(b, name, s.d);
      b.tower(Tower::projector, "", [&] { linear(b, "eh_proj", 2 * s.d, s.d); });
      attention(b, "attention", a);
      mixture(b, "mlp", m);
    });
  });
}

const Generation first{.sizes = {1024, 0, 24, 30592, 16},
                       .dense_inner = absent,
                       .kv_heads = required(4),
                       .experts = 16,
                       .inner = required(1408),
                       .active = 2,
                       .shared = 0,
                       .n_dense = 0,
                       .head_dim = 0,
                       .bias = true,
                       .second = false};
const Generation second{.sizes = {2048, 0, 20, 157184, 16},
                        .dense_inner = 5120,
                        .kv_heads = 4,
                        .experts = 256,
                        .inner = 512,
                        .active = 8,
                        .shared = 1,
                        .n_dense = 1,
                        .head_dim = 128,
                        .bias = false,
                        .second = true};

BackboneOutput ling(Config c, Builder& b) { return decoder_of(c, b, first); }
BackboneOutput ling_2(Config c, Builder& b) { return decoder_of(c, b, second); }

}  // namespace

extern const Family bailing_moe{
    .model_type = "bailing_moe",
    .summary = "Ling: mixture of experts with shared experts and a fused QKV projection.",
    .classes = {"BailingMoe", heads::decoder},
    .backbone = ling,
    .own_code = true,
};
extern const Family bailing_moe_v2{
    .model_type = "bailing_moe_v2",
    .summary = "Ling 2.0 and Ring 2.0: like Ling, with QK-Norm and a router bias.",
    .classes = {"BailingMoeV2", heads::decoder},
    .backbone = ling_2,
    .own_code = true,
};

}  // namespace param_ledger
