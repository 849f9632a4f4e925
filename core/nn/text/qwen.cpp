#include "core/nn/text/qwen.hpp"

namespace param_ledger {

Attention gated_attention_fields(Config c, const DecoderSizes& s, std::uint64_t kv_heads) {
  return attention_fields(c, s, fixed(kv_heads), fixed(256), {.head_norms = QkNorm::per_head, .output_gate = true});
}

Mixture gated_experts_fields(Config c, Expr hidden, std::uint64_t count, std::uint64_t active) {
  Mixture m = mixture_fields(c, hidden, {.count = count, .active = active, .inner = 512, .count_field = "num_experts"},
                             {.shared_name = "shared_expert", .shared_gate = "shared_expert_gate"});
  m.shared = c.integer("shared_expert_intermediate_size", 512);
  return m;
}

}  // namespace param_ledger
