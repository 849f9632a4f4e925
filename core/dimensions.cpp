#include "core/dimensions.hpp"

#include <array>
#include <iterator>

namespace param_ledger {

namespace {

// The order is that of the factors in a product: V·d, d·n_kv·h, d·f.
constexpr Dimension table[] = {
    // Vocabulary and positions
    {"vocab_size", "V", Group::vocabulary, "Tokens in the vocabulary: rows of the embedding table.", 64, true},
    {"vocab_size_per_layer_input", "V_p", Group::vocabulary, "Tokens in the vocabulary of the per-layer embeddings.", 64},
    {"max_position_embeddings", "P", Group::vocabulary, "Longest sequence; counts where positions are learned.", 64},
    {"n_positions", "P", Group::vocabulary, "Longest sequence: rows of the position embedding table.", 64},
    {"type_vocab_size", "T", Group::vocabulary, "Segment types: rows of the token type embedding table."},
    {"relative_attention_num_buckets", "B", Group::attention, "Buckets of relative distance, each with a bias per head."},
    // Size
    {"hidden_size", "d", Group::size, "Width of the residual stream: one vector of this length per token.", 64, true},
    {"n_embd", "d", Group::size, "Width of the residual stream: one vector of this length per token.", 64, true},
    {"d_model", "d", Group::size, "Width of the residual stream: one vector of this length per token.", 64, true},
    {"hidden_size_per_layer_input", "d_p", Group::size, "Width of the embedding that each layer receives of its own.", 64},
    // Attention
    {"num_attention_heads", "n", Group::attention, "Query heads in each attention layer.", 1, true},
    {"n_head", "n", Group::attention, "Query heads in each attention layer.", 1, true},
    {"num_heads", "n", Group::attention, "Heads in each layer.", 1, true},
    {"num_key_value_heads", "n_kv", Group::attention, "Key and value heads; fewer than query heads: grouped-query attention.", 1, true},
    {"num_kv_heads", "n_kv", Group::attention, "Key and value heads; fewer than query heads: grouped-query attention.", 1, true},
    {"n_head_kv", "n_kv", Group::attention, "Key and value heads; fewer than query heads: grouped-query attention."},
    {"head_dim", "h", Group::attention, "Width of one head.", 8, true},
    {"d_kv", "h", Group::attention, "Width of one head.", 8},
    {"attention_hidden_size", "d_a", Group::attention, "Width of the shared attention's input.", 64},
    {"attention_head_dim", "h", Group::attention, "Width of one head.", 8},
    {"q_lora_rank", "r_q", Group::attention, "Width of the compressed query; null: queries are not compressed.", 64},
    {"kv_lora_rank", "r_kv", Group::attention, "Width of the compressed keys and values.", 64},
    {"qk_nope_head_dim", "h_nope", Group::attention, "Width of a query or key head without position.", 8},
    {"qk_rope_head_dim", "h_rope", Group::attention, "Width of a query or key head with rotary position.", 8},
    {"v_head_dim", "h_v", Group::attention, "Width of a value head.", 8},
    {"num_kv_shared_layers", "L_s", Group::attention, "Last layers that reuse the keys and values of earlier ones."},
    // Feed-forward and experts
    {"intermediate_size", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"ffn_hidden_size", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"n_inner", "f", Group::feed_forward, "Inner width of the feed-forward block; null: four times the hidden size.", 64, true},
    {"d_ff", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"moe_intermediate_size", "f_e", Group::experts, "Inner width of one expert.", 64, true},
    {"shared_intermediate_size", "f_s", Group::experts, "Inner width of the shared feed-forward block.", 64},
    {"moe_shared_expert_intermediate_size", "f_s", Group::experts, "Inner width of the shared expert.", 64},
    {"moe_latent_size", "d_l", Group::experts, "Width that experts work at; null: the hidden size.", 64},
    {"n_shared_experts", "E_s", Group::experts, "Experts that every token uses."},
    {"num_experts", "E", Group::experts, "Routed experts in a mixture-of-experts layer.", 1, true},
    {"num_local_experts", "E", Group::experts, "Routed experts in a mixture-of-experts layer.", 1, true},
    {"n_routed_experts", "E", Group::experts, "Routed experts in a mixture-of-experts layer.", 1, true},
    {"num_experts_per_tok", "k", Group::experts, "Routed experts that each token uses; counts for active parameters.", 1, true},
    {"first_k_dense_replace", "L_d", Group::experts, "First layers with a dense feed-forward block in place of experts."},
    {"decoder_sparse_step", "s", Group::experts, "Every how many layers the feed-forward block is a mixture of experts."},
    // State space
    {"state_size", "N", Group::state_space, "State per channel of the state-space mixer.", 16},
    {"ssm_state_size", "N", Group::state_space, "State per channel of the state-space mixer.", 16},
    {"mamba_d_state", "N", Group::state_space, "State per channel of the state-space mixer.", 16},
    {"conv_kernel", "K", Group::state_space, "Width of the mixer's causal convolution."},
    {"mamba_d_conv", "K", Group::state_space, "Width of the mixer's causal convolution."},
    {"expand", "e", Group::state_space, "Inner width of the mixer over the hidden size."},
    {"mamba_expand", "e", Group::state_space, "Inner width of the mixer over the hidden size."},
    {"time_step_rank", "r_t", Group::state_space, "Width of the compressed time step; \"auto\": a sixteenth of the hidden size.", 16},
    {"mamba_num_heads", "n_m", Group::state_space, "Heads of the state-space mixer."},
    {"mamba_n_heads", "n_m", Group::state_space, "Heads of the state-space mixer."},
    {"n_mamba_heads", "n_m", Group::state_space, "Heads of the state-space mixer."},
    {"mamba_head_dim", "h_m", Group::state_space, "Width of a head of the state-space mixer.", 8},
    {"mamba_d_head", "h_m", Group::state_space, "Width of a head of the state-space mixer; \"auto\": what the heads leave.", 8},
    {"n_groups", "g", Group::state_space, "Groups that share the mixer's input and output projections of the state."},
    {"mamba_n_groups", "g", Group::state_space, "Groups that share the mixer's input and output projections of the state."},
    {"mamba_ngroups", "g", Group::state_space, "Groups that share the mixer's input and output projections of the state."},
    // Other parts
    {"adapter_rank", "r_a", Group::other, "Width of the adapters of shared blocks.", 8},
    {"laurel_rank", "r_l", Group::other, "Width of the learned augmented residual (LAuReL).", 8},
    {"altup_num_inputs", "A", Group::other, "Copies of the residual stream that alternating updates (AltUp) keep."},
    {"num_mem_blocks", "M", Group::layers, "Distinct shared blocks, used in turn."},
    // Depth: written before the parenthesis that it multiplies
    {"num_hidden_layers", "L", Group::size, "Layers: how often the model's block repeats.", 1, true},
    {"n_layer", "L", Group::size, "Layers: how often the model's block repeats.", 1, true},
    {"num_layers", "L", Group::size, "Layers of the encoder.", 1, true},
    {"num_decoder_layers", "L_dec", Group::size, "Layers of the decoder.", 1, true},
    // Classes
    {"num_labels", "C", Group::head, "Labels that a classification head tells apart."},
    // Not numbers of a formula
    {"id2label", "", Group::head, "The labels' names; their number is num_labels."},
    {"tie_word_embeddings", "", Group::head, "The output head is the embedding table and not counted again."},
    {"token_classification_bias", "", Group::head, "The classification head has a bias."},
    {"attention_bias", "", Group::attention, "The attention projections have biases."},
    {"mlp_bias", "", Group::feed_forward, "The feed-forward projections have biases."},
    {"bias", "", Group::other, "All linear layers have biases."},
    {"add_bias_linear", "", Group::other, "The linear layers have biases."},
    {"use_bias", "", Group::state_space, "The mixer's projections have biases."},
    {"mamba_proj_bias", "", Group::state_space, "The mixer's projections have biases."},
    {"use_conv_bias", "", Group::state_space, "The mixer's convolution has a bias."},
    {"mamba_conv_bias", "", Group::state_space, "The mixer's convolution has a bias."},
    {"add_cross_attention", "", Group::attention, "Each layer also attends to an encoder's output."},
    {"is_decoder", "", Group::attention, "The model is used as a decoder; cross-attention needs it."},
    {"multi_query", "", Group::attention, "All query heads share one key and one value head."},
    {"new_decoder_architecture", "", Group::attention, "The layout of Falcon 40B: grouped queries, two norms side by side."},
    {"parallel_attn", "", Group::attention, "Attention and feed-forward read the same input, side by side."},
    {"num_ln_in_parallel_attn", "", Group::attention, "Norms before side-by-side attention and feed-forward: 1 or 2."},
    {"feed_forward_proj", "", Group::feed_forward, "Activation of the feed-forward block; \"gated-…\" has a third matrix."},
    {"is_gated_act", "", Group::feed_forward, "The feed-forward block is gated: a third matrix."},
    {"mlp_only_layers", "", Group::layers, "Layers with a dense feed-forward block, by index from 0."},
    {"layer_types", "", Group::layers, "What each layer is, first to last."},
    {"layers_block_type", "", Group::layers, "What each layer is, first to last."},
    {"hybrid_override_pattern", "", Group::layers, "What each layer is, a letter each: M mixer, E experts, * attention, - feed-forward."},
    {"hybrid_layer_ids", "", Group::layers, "Layers that use a shared block, by index from 0."},
    {"use_shared_attention_adapter", "", Group::attention, "Each use of the shared attention has adapters of its own."},
    {"summary_use_proj", "", Group::head, "The multiple-choice head projects what it summarises."},
    {"summary_proj_to_labels", "", Group::head, "The multiple-choice head's projection has one output per label."},
    // The generic transformer's switches
    {"position_embedding", "", Group::vocabulary, "How positions are told: a learned table, or without parameters (rotary, sinusoidal)."},
    {"norm", "", Group::size, "Norm before attention and before feed-forward in each layer."},
    {"final_norm", "", Group::size, "A norm after the last layer."},
    {"gated_mlp", "", Group::feed_forward, "Three matrices (gate, up, down) in place of two."},
};

constexpr Dimension unknown{"", "", Group::other, ""};

/// The table's indices in the order of the names: a look-up compares a few of them.
constexpr auto by_name = [] {
  std::array<std::uint16_t, std::size(table)> order{};
  for (std::uint16_t i = 0; i < order.size(); ++i) order[i] = i;
  // A heap: the compiler counts its steps, and the table grows.
  const auto less = [](std::uint16_t a, std::uint16_t b) { return table[a].name < table[b].name; };
  const auto sink = [&](std::size_t root, std::size_t size) {
    for (std::size_t child = 0; (child = 2 * root + 1) < size; root = child) {
      if (child + 1 < size && less(order[child], order[child + 1])) ++child;
      if (!less(order[root], order[child])) return;
      const std::uint16_t larger = order[child];
      order[child] = order[root];
      order[root] = larger;
    }
  };
  for (std::size_t i = order.size() / 2; i-- > 0;) sink(i, order.size());
  for (std::size_t size = order.size(); size-- > 1;) {
    const std::uint16_t largest = order[0];
    order[0] = order[size];
    order[size] = largest;
    sink(0, size);
  }
  return order;
}();

constexpr bool distinct_names() {
  for (std::size_t i = 1; i < by_name.size(); ++i)
    if (table[by_name[i - 1]].name == table[by_name[i]].name) return false;
  return true;
}
static_assert(distinct_names(), "a field stands twice in the table");

/// The place of a name in the table; its size for a name that it lacks.
std::uint16_t place(std::string_view name) {
  std::size_t low = 0, high = by_name.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const std::string_view found = table[by_name[middle]].name;
    if (found == name) return by_name[middle];
    if (found < name)
      low = middle + 1;
    else
      high = middle;
  }
  return static_cast<std::uint16_t>(std::size(table));
}

}  // namespace

std::string_view spelling(Group group) {
  static constexpr std::string_view names[] = {"vocabulary",  "size",   "attention", "feed_forward", "experts",
                                               "state_space", "layers", "head",      "other"};
  return names[static_cast<std::size_t>(group)];
}

std::span<const Dimension> dimensions() { return table; }

const Dimension& dimension(std::string_view name) {
  const std::uint16_t found = place(name);
  return found < std::size(table) ? table[found] : unknown;
}

std::uint16_t dimension_order(std::string_view name) { return place(name); }

}  // namespace param_ledger
