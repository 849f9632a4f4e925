#include "core/blocks/qwen.hpp"

namespace param_ledger {

Attention gated_attention_fields(Config c, const DecoderSizes& s, std::uint64_t kv_heads) {
  const Expr n_kv = c.integer("num_key_value_heads", kv_heads), h = c.integer("head_dim", 256);
  const bool bias = c.flag("attention_bias", false);
  return {.hidden = s.d,
          .heads = s.n,
          .kv_heads = n_kv,
          .head_dim = h,
          .qkv_bias = bias,
          .output_bias = bias,
          .head_norms = HeadNorms::per_head,
          .output_gate = true};
}

Mixture gated_experts_fields(Config c, Expr hidden, std::uint64_t count, std::uint64_t active) {
  Mixture m = mixture_fields(c, hidden, {.count = count, .active = active, .inner = 512, .count_field = "num_experts"},
                             {.shared_name = "shared_expert", .shared_gate = "shared_expert_gate"});
  m.shared = c.integer("shared_expert_intermediate_size", 512);
  return m;
}

}  // namespace param_ledger
