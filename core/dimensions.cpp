#include "core/dimensions.hpp"

#include <iterator>

namespace param_ledger {

namespace {

// The order is that of the factors in a product: V·d, d·n_kv·h, d·f.
constexpr Dimension table[] = {
    // Vocabulary and positions
    {"vocab_size", "V", "vocabulary", "Tokens in the vocabulary: rows of the embedding table."},
    {"vocab_size_per_layer_input", "V_p", "vocabulary", "Tokens in the vocabulary of the per-layer embeddings."},
    {"max_position_embeddings", "P", "vocabulary", "Longest sequence; counts where positions are learned."},
    {"n_positions", "P", "vocabulary", "Longest sequence: rows of the position embedding table."},
    {"type_vocab_size", "T", "vocabulary", "Segment types: rows of the token type embedding table."},
    {"relative_attention_num_buckets", "B", "attention", "Buckets of relative distance, each with a bias per head."},
    // Size
    {"hidden_size", "d", "size", "Width of the residual stream: one vector of this length per token."},
    {"n_embd", "d", "size", "Width of the residual stream: one vector of this length per token."},
    {"d_model", "d", "size", "Width of the residual stream: one vector of this length per token."},
    {"hidden_size_per_layer_input", "d_p", "size", "Width of the embedding that each layer receives of its own."},
    // Attention
    {"num_attention_heads", "n", "attention", "Query heads in each attention layer."},
    {"n_head", "n", "attention", "Query heads in each attention layer."},
    {"num_heads", "n", "attention", "Heads in each layer."},
    {"num_key_value_heads", "n_kv", "attention", "Key and value heads; fewer than query heads: grouped-query attention."},
    {"num_kv_heads", "n_kv", "attention", "Key and value heads; fewer than query heads: grouped-query attention."},
    {"n_head_kv", "n_kv", "attention", "Key and value heads; fewer than query heads: grouped-query attention."},
    {"head_dim", "h", "attention", "Width of one head."},
    {"d_kv", "h", "attention", "Width of one head."},
    {"attention_hidden_size", "d_a", "attention", "Width of the shared attention's input."},
    {"attention_head_dim", "h", "attention", "Width of one head."},
    {"q_lora_rank", "r_q", "attention", "Width of the compressed query; null: queries are not compressed."},
    {"kv_lora_rank", "r_kv", "attention", "Width of the compressed keys and values."},
    {"qk_nope_head_dim", "h_nope", "attention", "Width of a query or key head without position."},
    {"qk_rope_head_dim", "h_rope", "attention", "Width of a query or key head with rotary position."},
    {"v_head_dim", "h_v", "attention", "Width of a value head."},
    {"num_kv_shared_layers", "L_s", "attention", "Last layers that reuse the keys and values of earlier ones."},
    // Feed-forward and experts
    {"intermediate_size", "f", "feed_forward", "Inner width of the feed-forward block."},
    {"ffn_hidden_size", "f", "feed_forward", "Inner width of the feed-forward block."},
    {"n_inner", "f", "feed_forward", "Inner width of the feed-forward block; null: four times the hidden size."},
    {"d_ff", "f", "feed_forward", "Inner width of the feed-forward block."},
    {"moe_intermediate_size", "f_e", "experts", "Inner width of one expert."},
    {"shared_intermediate_size", "f_s", "experts", "Inner width of the shared feed-forward block."},
    {"moe_shared_expert_intermediate_size", "f_s", "experts", "Inner width of the shared expert."},
    {"moe_latent_size", "d_l", "experts", "Width that experts work at; null: the hidden size."},
    {"n_shared_experts", "E_s", "experts", "Experts that every token uses."},
    {"num_experts", "E", "experts", "Routed experts in a mixture-of-experts layer."},
    {"num_local_experts", "E", "experts", "Routed experts in a mixture-of-experts layer."},
    {"n_routed_experts", "E", "experts", "Routed experts in a mixture-of-experts layer."},
    {"num_experts_per_tok", "k", "experts", "Routed experts that each token uses; counts for active parameters."},
    {"first_k_dense_replace", "L_d", "experts", "First layers with a dense feed-forward block in place of experts."},
    {"decoder_sparse_step", "s", "experts", "Every how many layers the feed-forward block is a mixture of experts."},
    // State space
    {"state_size", "N", "state_space", "State per channel of the state-space mixer."},
    {"ssm_state_size", "N", "state_space", "State per channel of the state-space mixer."},
    {"mamba_d_state", "N", "state_space", "State per channel of the state-space mixer."},
    {"conv_kernel", "K", "state_space", "Width of the mixer's causal convolution."},
    {"mamba_d_conv", "K", "state_space", "Width of the mixer's causal convolution."},
    {"expand", "e", "state_space", "Inner width of the mixer over the hidden size."},
    {"mamba_expand", "e", "state_space", "Inner width of the mixer over the hidden size."},
    {"time_step_rank", "r_t", "state_space", "Width of the compressed time step; \"auto\": a sixteenth of the hidden size."},
    {"mamba_num_heads", "n_m", "state_space", "Heads of the state-space mixer."},
    {"mamba_n_heads", "n_m", "state_space", "Heads of the state-space mixer."},
    {"n_mamba_heads", "n_m", "state_space", "Heads of the state-space mixer."},
    {"mamba_head_dim", "h_m", "state_space", "Width of a head of the state-space mixer."},
    {"mamba_d_head", "h_m", "state_space", "Width of a head of the state-space mixer; \"auto\": what the heads leave."},
    {"n_groups", "g", "state_space", "Groups that share the mixer's input and output projections of the state."},
    {"mamba_n_groups", "g", "state_space", "Groups that share the mixer's input and output projections of the state."},
    {"mamba_ngroups", "g", "state_space", "Groups that share the mixer's input and output projections of the state."},
    // Other parts
    {"adapter_rank", "r_a", "other", "Width of the adapters of shared blocks."},
    {"laurel_rank", "r_l", "other", "Width of the learned augmented residual (LAuReL)."},
    {"altup_num_inputs", "A", "other", "Copies of the residual stream that alternating updates (AltUp) keep."},
    {"num_mem_blocks", "M", "layers", "Distinct shared blocks, used in turn."},
    // Depth: written before the parenthesis that it multiplies
    {"num_hidden_layers", "L", "size", "Layers: how often the model's block repeats."},
    {"n_layer", "L", "size", "Layers: how often the model's block repeats."},
    {"num_layers", "L", "size", "Layers of the encoder."},
    {"num_decoder_layers", "L_dec", "size", "Layers of the decoder."},
    // Classes
    {"num_labels", "C", "head", "Labels that a classification head tells apart."},
    // Not numbers of a formula
    {"id2label", "", "head", "The labels' names; their number is num_labels."},
    {"tie_word_embeddings", "", "head", "The output head is the embedding table and not counted again."},
    {"token_classification_bias", "", "head", "The classification head has a bias."},
    {"attention_bias", "", "attention", "The attention projections have biases."},
    {"mlp_bias", "", "feed_forward", "The feed-forward projections have biases."},
    {"bias", "", "other", "All linear layers have biases."},
    {"add_bias_linear", "", "other", "The linear layers have biases."},
    {"use_bias", "", "state_space", "The mixer's projections have biases."},
    {"mamba_proj_bias", "", "state_space", "The mixer's projections have biases."},
    {"use_conv_bias", "", "state_space", "The mixer's convolution has a bias."},
    {"mamba_conv_bias", "", "state_space", "The mixer's convolution has a bias."},
    {"add_cross_attention", "", "attention", "Each layer also attends to an encoder's output."},
    {"is_decoder", "", "attention", "The model is used as a decoder; cross-attention needs it."},
    {"multi_query", "", "attention", "All query heads share one key and one value head."},
    {"new_decoder_architecture", "", "attention", "The layout of Falcon 40B: grouped queries, two norms side by side."},
    {"parallel_attn", "", "attention", "Attention and feed-forward read the same input, side by side."},
    {"num_ln_in_parallel_attn", "", "attention", "Norms before side-by-side attention and feed-forward: 1 or 2."},
    {"feed_forward_proj", "", "feed_forward", "Activation of the feed-forward block; \"gated-…\" has a third matrix."},
    {"is_gated_act", "", "feed_forward", "The feed-forward block is gated: a third matrix."},
    {"mlp_only_layers", "", "layers", "Layers with a dense feed-forward block, by index from 0."},
    {"layer_types", "", "layers", "What each layer is, first to last."},
    {"layers_block_type", "", "layers", "What each layer is, first to last."},
    {"hybrid_override_pattern", "", "layers", "What each layer is, a letter each: M mixer, E experts, * attention, - feed-forward."},
    {"hybrid_layer_ids", "", "layers", "Layers that use a shared block, by index from 0."},
    {"use_shared_attention_adapter", "", "attention", "Each use of the shared attention has adapters of its own."},
    {"summary_use_proj", "", "head", "The multiple-choice head projects what it summarises."},
    {"summary_proj_to_labels", "", "head", "The multiple-choice head's projection has one output per label."},
    // The generic transformer's switches
    {"position_embedding", "", "vocabulary", "How positions are told: a learned table, or without parameters (rotary, sinusoidal)."},
    {"norm", "", "size", "Norm before attention and before feed-forward in each layer."},
    {"final_norm", "", "size", "A norm after the last layer."},
    {"gated_mlp", "", "feed_forward", "Three matrices (gate, up, down) in place of two."},
};

constexpr Dimension unknown{"", "", "other", ""};

const Dimension* find(std::string_view name) {
  for (const Dimension& d : table)
    if (d.name == name) return &d;
  return nullptr;
}

}  // namespace

const Dimension& dimension(std::string_view name) {
  const Dimension* const found = find(name);
  return found != nullptr ? *found : unknown;
}

std::uint16_t dimension_order(std::string_view name) {
  const Dimension* const found = find(name);
  return found != nullptr ? static_cast<std::uint16_t>(found - table) : static_cast<std::uint16_t>(std::size(table));
}

}  // namespace param_ledger
