#include "core/nn/text/deepseek.hpp"

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

BackboneOutput deepseek_v2_as_published(Config c, Builder& b) {
  c.consume("model_type");
  c.consume("architectures");
  const DecoderSizes s = decoder_sizes(c, {4096, 11008, 30, 102400, 32});
  const Expr f_expert = c.integer("moe_intermediate_size", 1407);
  const bool bias = c.flag("attention_bias", false);
  const std::optional<Expr> count = c.optional_integer("n_routed_experts"), shared = c.optional_integer("n_shared_experts");
  const bool corrected = c.text("topk_method", "gready") == "noaux_tc";
  Mixture m{.hidden = s.d,
            .count = count.value_or(Expr{}),
            .active = c.optional_integer("num_experts_per_tok").value_or(Expr{}),
            .inner = f_expert,
            .correction = corrected ? RouterBias::parameter : RouterBias::none};
  if (shared) {
    m.shared = f_expert * *shared;
    m.shared_count = *shared;
  }
  Split layers{{}, all(s.n_layers)};
  if (count) layers = stepped_sparse_layers(c, s.n_layers, c.integer("first_k_dense_replace", 0));
  const SparseDecoder decoder{s, {.layers = layers, .mixture = m, .dense = s.f}};
  if (c.flag("use_mla", true)) {
    LatentAttention latent{.hidden = s.d, .heads = s.n, .bias = bias};
    latent.q_rank = c.optional_integer("q_lora_rank", 1536);
    latent.kv_rank = c.integer("kv_lora_rank", 512);
    latent.nope_dim = c.integer("qk_nope_head_dim", 128);
    latent.rope_dim = c.integer("qk_rope_head_dim", 64);
    latent.value_dim = c.integer("v_head_dim", 128);
    return sparse_decoder(b, decoder, latent);
  }
  for (const Text field : {"q_lora_rank", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"})
    c.ignore(field, "use_mla is false: there is no latent attention.");
  const Expr n_kv = c.integer("num_key_value_heads", fixed_not_null(32).or_else(s.n));
  return sparse_decoder(b, decoder, Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .qkv_bias = bias, .output_bias = bias});
}

}  // namespace param_ledger
