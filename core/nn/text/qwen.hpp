#pragma once

#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

// Functions that read the fields of Qwen's hybrid models since Qwen3-Next: those of gated attention, and those of a mixture of experts with
// a gated shared expert.

/// Reads num_key_value_heads, head_dim (default: 256) and attention_bias.
Attention gated_attention_fields(Config c, const DecoderSizes& s, std::uint64_t kv_heads);
/// Reads num_experts, num_experts_per_tok, moe_intermediate_size and shared_expert_intermediate_size. The default of the last two is 512.
Mixture gated_experts_fields(Config c, Expr hidden, std::uint64_t count, std::uint64_t active);

}  // namespace param_ledger
