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
    {"encoder_hash_byte_group_vocab", "V_g", Group::vocabulary, "Rows of the embedding table for each hash of a group of bytes.", 64},
    {"encoder_hash_byte_group_nb_functions", "H", Group::vocabulary, "Hash functions for each size of groups of bytes."},
    {"type_vocab_size", "T", Group::vocabulary, "Segment types: rows of the token type embedding table."},
    {"decoder_vocab_size", "V_dec", Group::vocabulary, "Tokens in the vocabulary of the decoder, where it has one of its own.", 64},
    {"max_source_positions", "P_enc", Group::vocabulary, "Longest input of the encoder: rows of its position table.", 64},
    {"max_target_positions", "P_dec", Group::vocabulary, "Longest sequence of the decoder: rows of its position table.", 64},
    {"ngram", "N_g", Group::vocabulary, "Tokens that are predicted at once: rows of the stream embedding table."},
    {"position_buckets", "B", Group::attention, "Buckets of relative distance on each side; below 1: none."},
    {"max_relative_positions", "P_r", Group::attention, "Longest relative distance on each side; below 1: the longest sequence.", 64},
    {"num_buckets", "B", Group::attention, "Buckets of relative distance, each with a score per head."},
    {"num_mel_bins", "N_mel", Group::other, "Frequency bands of the spectrogram.", 8},
    {"task_type_vocab_size", "T_t", Group::vocabulary, "Tasks: rows of the task embedding table."},
    {"pronunciation_vocab_size", "V_p", Group::vocabulary, "Sounds: rows of the pronunciation embedding table.", 8},
    {"shape_vocab_size", "V_s", Group::vocabulary, "Shapes of characters: rows of the shape embedding table.", 64},
    {"relative_attention_num_buckets", "B", Group::attention, "Buckets of relative distance, each with a bias per head."},
    {"n_langs", "N_l", Group::vocabulary, "Languages; more than one: rows of a table of their own."},
    {"prompt_types", "P_t", Group::vocabulary, "Kinds of prompts, each with rows of its own in the embedding table."},
    {"segment_types", "S", Group::vocabulary, "Segment types: rows of the segment embedding table."},
    {"padded_vocab_size", "V", Group::vocabulary, "Tokens in the vocabulary, rounded up: rows of the embedding table.", 64, true},
    {"pad_vocab_size_multiple", "m_V", Group::vocabulary, "The rows of the embedding table are rounded up to a multiple of it."},
    // Size
    {"hidden_size", "d", Group::size, "Width of the residual stream: one vector of this length per token.", 64, true},
    {"n_embd", "d", Group::size, "Width of the residual stream: one vector of this length per token.", 64, true},
    {"d_model", "d", Group::size, "Width of the residual stream: one vector of this length per token.", 64, true},
    {"dim", "d", Group::size, "Width of the residual stream: one vector of this length per token.", 64, true},
    {"embedding_dim", "d_e", Group::size, "Width of the embedding table.", 64},
    {"hidden_size_global", "d_g", Group::size, "Width of the patches that the decoder receives.", 64},
    {"hidden_size_per_layer_input", "d_p", Group::size, "Width of the embedding that each layer receives of its own.", 64},
    {"emb_dim", "d", Group::size, "Width of the residual stream: one vector of this length per token.", 64, true},
    {"word_embed_proj_dim", "d_e", Group::size, "Width of the embedding table, where it is not the hidden size.", 64},
    {"embedding_size", "d_e", Group::size, "Width of the embeddings, projected to the hidden size where it is another.", 64},
    {"input_embedding_size", "d_e", Group::size, "Width of the embeddings, which are projected to the hidden size.", 64},
    {"output_embedding_size", "d_o", Group::head, "Width of the output head's input.", 64},
    {"pronunciation_embed_dim", "d_p", Group::size, "Width of the embedding of a character's sound.", 64},
    {"shape_embed_dim", "d_s", Group::size, "Width of the embedding of a character's shape.", 64},
    {"cross_attention_hidden_size", "d_c", Group::size, "Width of what cross-attention reads; null: the hidden size.", 64},
    // Attention
    {"encoder_attention_heads", "n_enc", Group::attention, "Heads in each layer of the encoder.", 1, true},
    {"decoder_attention_heads", "n_dec", Group::attention, "Heads in each layer of the decoder.", 1, true},
    {"num_encoder_attention_heads", "n_enc", Group::attention, "Heads in each layer of the encoder.", 1, true},
    {"num_decoder_attention_heads", "n_dec", Group::attention, "Heads in each layer of the decoder.", 1, true},
    {"num_attention_heads", "n", Group::attention, "Query heads in each attention layer.", 1, true},
    {"n_heads", "n", Group::attention, "Heads in each layer.", 1, true},
    {"attention_head_size", "h", Group::attention, "Width of one head.", 8},
    {"n_head", "n", Group::attention, "Query heads in each attention layer.", 1, true},
    {"num_heads", "n", Group::attention, "Heads in each layer.", 1, true},
    {"num_key_value_heads", "n_kv", Group::attention, "Key and value heads; fewer than query heads: grouped-query attention.", 1, true},
    {"num_kv_heads", "n_kv", Group::attention, "Key and value heads; fewer than query heads: grouped-query attention.", 1, true},
    {"n_head_kv", "n_kv", Group::attention, "Key and value heads; fewer than query heads: grouped-query attention."},
    {"head_dim", "h", Group::attention, "Width of one head.", 8, true},
    {"d_kv", "h", Group::attention, "Width of one head.", 8},
    {"attention_hidden_size", "d_a", Group::attention, "Width that attention works at, where it is not the hidden size.", 64},
    {"attention_head_dim", "h", Group::attention, "Width of one head.", 8},
    {"q_lora_rank", "r_q", Group::attention, "Width of the compressed query; null: queries are not compressed.", 64},
    {"kv_lora_rank", "r_kv", Group::attention, "Width of the compressed keys and values.", 64},
    {"qk_nope_head_dim", "h_nope", Group::attention, "Width of a query or key head without position.", 8},
    {"qk_rope_head_dim", "h_rope", Group::attention, "Width of a query or key head with rotary position.", 8},
    {"v_head_dim", "h_v", Group::attention, "Width of a value head.", 8},
    {"global_head_dim", "h_g", Group::attention, "Width of one head in layers of full attention.", 8},
    {"num_global_key_value_heads", "n_g", Group::attention, "Key and value heads in layers of full attention whose keys are values, too."},
    {"attn_layer_period", "p_a", Group::layers, "Every how many layers there is attention."},
    {"attn_layer_offset", "o_a", Group::layers, "The first layer with attention."},
    {"cross_attn_k", "k_c", Group::attention, "Vectors of the local width that a patch consists of."},
    {"num_kv_shared_layers", "L_s", Group::attention, "Last layers that reuse the keys and values of earlier ones."},
    {"attention_heads", "n", Group::attention, "Query heads in each attention layer.", 1, true},
    {"d_head", "h", Group::attention, "Width of one head.", 8},
    {"dim_head", "h", Group::attention, "Width of one head.", 8},
    {"position_bias_num_buckets", "B", Group::attention, "Buckets of relative distance, each with a bias per head."},
    {"kv_channels", "h", Group::attention, "Width of one head.", 8},
    {"multi_query_group_num", "n_kv", Group::attention, "Key and value heads; fewer than query heads: grouped-query attention."},
    {"kv_n_heads", "n_kv", Group::attention, "Key and value heads; fewer than query heads: grouped-query attention.", 1, true},
    {"index_n_heads", "n_i", Group::attention, "Heads of the indexer, which chooses what attention sees."},
    {"sparse_num_index_heads", "n_i", Group::attention, "Heads of the indexer, which chooses what attention sees."},
    {"index_head_dim", "h_i", Group::attention, "Width of a head of the indexer.", 8},
    {"sparse_index_dim", "h_i", Group::attention, "Width of a head of the indexer.", 8},
    {"index_topk_freq", "s_i", Group::layers, "Every how many layers there is an indexer."},
    {"index_skip_topk_offset", "l_i", Group::layers, "First layers with indexers of their own."},
    {"qk_head_dim", "h_qk", Group::attention, "Width of a query or key head.", 8},
    {"swa_num_attention_heads", "n_w", Group::attention, "Query heads in layers with a sliding window."},
    {"swa_num_key_value_heads", "n_wkv", Group::attention, "Key and value heads in layers with a sliding window."},
    {"swa_head_dim", "h_w", Group::attention, "Width of one head in layers with a sliding window.", 8},
    {"swa_q_lora_rank", "r_wq", Group::attention, "Width of the compressed query in layers with a sliding window.", 64},
    {"swa_kv_lora_rank", "r_wkv", Group::attention, "Width of the compressed keys and values in layers with a sliding window.", 64},
    {"swa_qk_nope_head_dim", "h_wnope", Group::attention, "Width of a head without position in layers with a sliding window.", 8},
    {"swa_qk_rope_head_dim", "h_wrope", Group::attention, "Width of a head with rotary position in layers with a sliding window.", 8},
    {"swa_v_head_dim", "h_wv", Group::attention, "Width of a value head in layers with a sliding window.", 8},
    {"o_groups", "g_o", Group::attention, "Groups of heads that are projected back apart."},
    {"o_lora_rank", "r_o", Group::attention, "Width that each group of heads is projected to.", 64},
    {"compress_rate_csa", "c_l", Group::attention, "Tokens that light compression merges."},
    {"compress_rate_hca", "c_h", Group::attention, "Tokens that heavy compression merges."},
    {"compressed_sparse_attention", "c_l", Group::attention, "Tokens that light compression merges."},
    {"heavily_compressed_attention", "c_h", Group::attention, "Tokens that heavy compression merges."},
    {"d_rel", "d_rel", Group::attention, "Width of what a head scores relative positions by.", 8},
    {"rel_extent", "P_rel", Group::attention, "Relative positions that attention scores.", 64},
    {"sliding_window_size", "W", Group::attention, "Tokens in the sliding window; its relative positions are scored.", 64},
    {"cca_time0", "K_0", Group::attention, "Width of the first convolution over queries and keys."},
    {"cca_time1", "K_1", Group::attention, "Width of the second convolution over queries and keys."},
    // Feed-forward and experts
    {"intermediate_size", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"ffn_hidden_size", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"n_inner", "f", Group::feed_forward, "Inner width of the feed-forward block; null: four times the hidden size.", 64, true},
    {"hidden_dim", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"d_ff", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"encoder_ffn_dim", "f_enc", Group::feed_forward, "Inner width of the encoder's feed-forward block.", 64, true},
    {"decoder_ffn_dim", "f_dec", Group::feed_forward, "Inner width of the decoder's feed-forward block.", 64, true},
    {"prompt_mid_dim", "f_p", Group::other, "Inner width of what projects the prompts.", 64},
    {"ffn_dim", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"moe_intermediate_size", "f_e", Group::experts, "Inner width of one expert.", 64, true},
    {"shared_intermediate_size", "f_s", Group::experts, "Inner width of the shared feed-forward block.", 64},
    {"shared_expert_intermediate_size", "f_s", Group::experts, "Inner width of the shared expert.", 64},
    {"moe_shared_expert_intermediate_size", "f_s", Group::experts, "Inner width of the shared expert.", 64},
    {"moe_latent_size", "d_l", Group::experts, "Width that experts work at; null: the hidden size.", 64},
    {"n_shared_experts", "E_s", Group::experts, "Experts that every token uses."},
    {"num_experts", "E", Group::experts, "Routed experts in a mixture-of-experts layer.", 1, true},
    {"num_local_experts", "E", Group::experts, "Routed experts in a mixture-of-experts layer.", 1, true},
    {"n_routed_experts", "E", Group::experts, "Routed experts in a mixture-of-experts layer.", 1, true},
    {"num_shared_experts", "E_s", Group::experts, "Experts that every token uses."},
    {"num_experts_per_token", "k", Group::experts, "Routed experts that each token uses; counts for active parameters.", 1, true},
    {"num_experts_per_tok", "k", Group::experts, "Routed experts that each token uses; counts for active parameters.", 1, true},
    {"top_k_experts", "k", Group::experts, "Routed experts that each token uses; counts for active parameters.", 1, true},
    {"expert_layer_period", "p_e", Group::experts, "Every how many layers the feed-forward block is a mixture of experts."},
    {"expert_layer_offset", "o_e", Group::experts, "The first layer with a mixture of experts."},
    {"num_dense_layers", "L_d", Group::experts, "First layers with a dense feed-forward block in place of experts."},
    {"ffn_round_up_to_multiple_of", "m", Group::feed_forward, "What the inner width is rounded up to a multiple of.", 64},
    {"block_multiple_of", "m", Group::feed_forward, "What the adjusted inner width is rounded up to a multiple of.", 64},
    {"first_k_dense_replace", "L_d", Group::experts, "First layers with a dense feed-forward block in place of experts."},
    {"decoder_sparse_step", "s", Group::experts, "Every how many layers the feed-forward block is a mixture of experts."},
    {"d_inner", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"dff", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"dim_ff", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"feed_forward_size", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"intermediate_multiple_size", "m", Group::feed_forward, "Inner width of the feed-forward block over the hidden size."},
    {"ff_intermediate_size", "f", Group::feed_forward, "Inner width of the feed-forward block.", 64, true},
    {"moe_num_experts", "E", Group::experts, "Routed experts in a mixture-of-experts layer.", 1, true},
    {"moe_num_shared_experts", "E_s", Group::experts, "Experts that every token uses."},
    {"num_shared_experts", "E_s", Group::experts, "Experts that every token uses."},
    {"moe_k", "k", Group::experts, "Routed experts that each token uses; counts for active parameters.", 1, true},
    {"moe_topk", "k", Group::experts, "Routed experts that each token uses; counts for active parameters.", 1, true},
    {"moe_top_k", "k", Group::experts, "Routed experts that each token uses; counts for active parameters.", 1, true},
    {"moe_layer_start_index", "l_0", Group::layers, "First layer with a mixture of experts, from 0."},
    {"moe_layer_end_index", "l_1", Group::layers, "Last layer with a mixture of experts; -1: the last of all."},
    {"moe_layer_freq", "s", Group::layers, "Every how many layers, or for each layer whether (1), there is a mixture of experts."},
    {"moe_layer_interval", "s", Group::layers, "Every how many layers the feed-forward block is a mixture of experts."},
    {"intermediate_size_mlp", "f_d", Group::feed_forward, "Inner width of the dense feed-forward blocks.", 64},
    {"dense_intermediate_size", "f_d", Group::feed_forward, "Inner width of the dense feed-forward blocks.", 64},
    {"prefix_dense_intermediate_size", "f_d", Group::feed_forward, "Inner width of the dense feed-forward blocks.", 64},
    {"interleave_moe_layer_step", "s", Group::experts, "Every how many layers the feed-forward block is a mixture of experts."},
    {"router_hidden_size", "d_r", Group::experts, "Inner width of the router.", 16},
    {"expert_ffn_hidden_size", "f_e", Group::experts, "Inner width of one expert.", 64, true},
    {"zero_expert_num", "E_0", Group::experts, "Experts that hand a token on as it is."},
    {"shared_experts_intermediate_size", "f_s", Group::experts, "Inner width of one shared expert.", 64},
    {"n_group", "g", Group::experts, "Groups of routed experts."},
    {"topk_group", "g_k", Group::experts, "Groups of routed experts that a token is routed to."},
    {"num_hash_layers", "L_r", Group::experts, "First layers whose experts are chosen by the token alone."},
    {"dense_mlp_idx", "L_d", Group::experts, "First layers with a dense feed-forward block in place of experts."},
    {"hc_mult", "c", Group::other, "Copies of the residual stream that hyper-connections mix."},
    {"adapter_out_dim", "d_a", Group::other, "Width of what a tower hands to the text model.", 64},
    {"gated_norm_rank", "r_g", Group::other, "Inner width of the gates of norms.", 8},
    // State space
    {"state_size", "N", Group::state_space, "State per channel of the state-space mixer.", 16},
    {"ssm_state_size", "N", Group::state_space, "State per channel of the state-space mixer.", 16},
    {"mamba_d_state", "N", Group::state_space, "State per channel of the state-space mixer.", 16},
    {"conv_kernel", "K", Group::state_space, "Width of the mixer's causal convolution."},
    {"mamba_d_conv", "K", Group::state_space, "Width of the mixer's causal convolution."},
    {"expand", "e", Group::state_space, "Inner width of the mixer over the hidden size."},
    {"mamba_expand", "e", Group::state_space, "Inner width of the mixer over the hidden size."},
    {"time_step_rank", "r_t", Group::state_space, "Width of the compressed time step; \"auto\": a sixteenth of the hidden size.", 16},
    {"mamba_dt_rank", "r_t", Group::state_space, "Width of the compressed time step; \"auto\": a sixteenth of the hidden size.", 16},
    {"mamba_d_ssm", "d_m", Group::state_space, "Inner width of the mixer; null: mamba_expand times the hidden size.", 64},
    {"conv_L_cache", "K", Group::state_space, "Width of the short convolution."},
    {"mamba_num_heads", "n_m", Group::state_space, "Heads of the state-space mixer."},
    {"mamba_n_heads", "n_m", Group::state_space, "Heads of the state-space mixer."},
    {"n_mamba_heads", "n_m", Group::state_space, "Heads of the state-space mixer."},
    {"mamba_head_dim", "h_m", Group::state_space, "Width of a head of the state-space mixer.", 8},
    {"mamba_d_head", "h_m", Group::state_space, "Width of a head of the state-space mixer; \"auto\": what the heads leave.", 8},
    {"n_groups", "g", Group::state_space, "Groups that share the mixer's input and output projections of the state."},
    {"mamba_n_groups", "g", Group::state_space, "Groups that share the mixer's input and output projections of the state."},
    {"mamba_ngroups", "g", Group::state_space, "Groups that share the mixer's input and output projections of the state."},
    {"linear_conv_kernel_dim", "K", Group::state_space, "Width of the causal convolution before linear attention."},
    {"short_conv_kernel_size", "K", Group::state_space, "Width of the causal convolution before linear attention."},
    {"linear_num_heads", "n_l", Group::state_space, "Heads of linear attention."},
    {"linear_head_dim", "h_l", Group::state_space, "Width of a head of linear attention.", 8},
    {"lru_width", "d_r", Group::state_space, "Width of the recurrence; null: the hidden size.", 64},
    {"conv1d_width", "K", Group::state_space, "Width of the causal convolution before the recurrence."},
    {"block_size", "B", Group::state_space, "Tokens that linear attention takes at once; its decay is kept for each."},
    {"linear_num_key_heads", "n_k", Group::state_space, "Query and key heads of linear attention."},
    {"linear_key_head_dim", "h_k", Group::state_space, "Width of a query or key head of linear attention.", 8},
    {"linear_num_value_heads", "n_v", Group::state_space, "Value heads of linear attention."},
    {"linear_value_head_dim", "h_v", Group::state_space, "Width of a value head of linear attention.", 8},
    // Other parts
    {"adapter_rank", "r_a", Group::other, "Width of the adapters of shared blocks.", 8},
    {"laurel_rank", "r_l", Group::other, "Width of the learned augmented residual (LAuReL).", 8},
    {"altup_num_inputs", "A", Group::other, "Copies of the residual stream that alternating updates (AltUp) keep."},
    {"adapter_reduction_factor", "r_a", Group::other, "How much narrower than the hidden size the adapters are."},
    {"audio_merge_size", "m", Group::other, "Frames of the audio encoder that are joined into one token."},
    {"conv_kernel_size", "K", Group::other, "Width of the convolution; 0: there is none."},
    {"conv_groups", "g", Group::other, "Groups of channels of that convolution."},
    {"pooler_hidden_size", "d_p", Group::head, "Width of the pooler.", 64},
    {"num_mem_blocks", "M", Group::layers, "Distinct shared blocks, used in turn."},
    // Depth: written before the parenthesis that it multiplies
    {"num_blocks", "L_b", Group::size, "Blocks: how often the model's block repeats.", 1, true},
    {"num_hidden_layers", "L", Group::size, "Layers: how often the model's block repeats.", 1, true},
    {"n_layers", "L", Group::size, "Layers: how often the model's block repeats.", 1, true},
    {"n_layer", "L", Group::size, "Layers: how often the model's block repeats.", 1, true},
    {"num_layers", "L", Group::size, "Layers of the encoder.", 1, true},
    {"encoder_layers", "L_enc", Group::size, "Layers of the encoder.", 1, true},
    {"num_encoder_layers", "L_enc", Group::size, "Layers of the encoder.", 1, true},
    {"decoder_layers", "L_dec", Group::size, "Layers of the decoder.", 1, true},
    {"num_decoder_layers", "L_dec", Group::size, "Layers of the decoder.", 1, true},
    {"num_layers_per_stack", "L_s", Group::size, "Layers of each of the two stacks; null: as many as num_hidden_layers.", 1, true},
    // Classes
    {"num_labels", "C", Group::head, "Labels that a classification head tells apart."},
    // Not numbers of a formula
    {"id2label", "", Group::head, "The labels' names; their number is num_labels."},
    {"tie_word_embeddings", "", Group::head, "The output head is the embedding table and not counted again."},
    {"token_classification_bias", "", Group::head, "The classification head has a bias."},
    {"attention_bias", "", Group::attention, "The attention projections have biases."},
    {"attention_out_bias", "", Group::attention, "The projection back from attention has a bias."},
    {"use_qk_norm", "", Group::attention, "Norms on query and key heads."},
    {"use_post_norm", "", Group::size, "Norms after attention and feed-forward as well as before."},
    {"norm_bias", "", Group::size, "The norms have biases."},
    {"decoder_bias", "", Group::head, "The output head has a bias."},
    {"classifier_bias", "", Group::head, "The projection before the output head has a bias."},
    {"hidden_act", "", Group::feed_forward, "Activation of the feed-forward block; \"xielu\" has parameters of its own."},
    {"is_moe", "", Group::experts, "Experts beside each feed-forward block."},
    {"mlp_bias", "", Group::feed_forward, "The feed-forward projections have biases."},
    {"bias", "", Group::other, "All linear layers have biases."},
    {"add_bias_linear", "", Group::other, "The linear layers have biases."},
    {"use_bias", "", Group::other, "The projections have biases."},
    {"mamba_proj_bias", "", Group::state_space, "The mixer's projections have biases."},
    {"projectors_bias", "", Group::state_space, "The mixer's output projection has a bias."},
    {"mamba_rms_norm", "", Group::state_space, "The mixer has a norm before its output projection."},
    {"conv_bias", "", Group::state_space, "The short convolution and its projections have biases."},
    {"use_conv_bias", "", Group::state_space, "The mixer's convolution has a bias."},
    {"mamba_conv_bias", "", Group::state_space, "The mixer's convolution has a bias."},
    {"attention_k_eq_v", "", Group::attention, "Layers of full attention take their keys for values."},
    {"use_double_wide_mlp", "", Group::feed_forward, "Layers that reuse keys and values have a feed-forward block of twice the width."},
    {"enable_moe_block", "", Group::experts, "Each layer has experts beside its feed-forward block."},
    {"add_cross_attention", "", Group::attention, "Each layer also attends to an encoder's output."},
    {"is_decoder", "", Group::attention, "The model is used as a decoder; cross-attention needs it."},
    {"multi_query", "", Group::attention, "All query heads share one key and one value head."},
    {"new_decoder_architecture", "", Group::attention, "The layout of Falcon 40B: grouped queries, two norms side by side."},
    {"parallel_attn", "", Group::attention, "Attention and feed-forward read the same input, side by side."},
    {"num_ln_in_parallel_attn", "", Group::attention, "Norms before side-by-side attention and feed-forward: 1 or 2."},
    {"feed_forward_proj", "", Group::feed_forward, "Activation of the feed-forward block; \"gated-…\" has a third matrix."},
    {"is_gated_act", "", Group::feed_forward, "The feed-forward block is gated: a third matrix."},
    {"share_encoder_decoder_embeddings", "", Group::vocabulary, "Encoder and decoder have one vocabulary and embedding table."},
    {"use_learned_position_embeddings", "", Group::vocabulary, "Positions are a learned table, not sinusoids."},
    {"layernorm_embedding", "", Group::size, "A norm after the embeddings."},
    {"position_biased_input", "", Group::vocabulary, "Positions are a learned table that is added to the embeddings."},
    {"relative_attention", "", Group::attention, "Attention also weighs relative positions."},
    {"share_att_key", "", Group::attention, "Relative positions are projected as tokens are, not by projections of their own."},
    {"pos_att_type", "", Group::attention, "What else attention weighs: c2p (a token, a position), p2c (a position, a token)."},
    {"norm_rel_ebd", "", Group::attention, "\"layer_norm\": the table of relative positions is normalised."},
    {"legacy", "", Group::head, "The head that predicts tokens is BERT's; else it has no matrix but the embedding table."},
    {"use_prompt", "", Group::other, "Each layer of the decoder has a prompt before its keys and values."},
    {"projector_bias", "", Group::other, "The projector's layers have biases."},
    {"block_auto_adjust_ff_dim", "", Group::feed_forward, "The inner width is two thirds of intermediate_size, scaled and rounded up."},
    {"block_ffn_dim_multiplier", "", Group::feed_forward, "What the adjusted inner width is scaled by."},
    {"use_attention_gate", "", Group::attention, "Each head's output is gated."},
    {"use_sandwich_norm", "", Group::size, "Each block has a norm after it as well as before."},
    {"use_expert_bias", "", Group::experts, "The router's scores are corrected by a bias."},
    {"encoder_hash_byte_group_size", "", Group::vocabulary, "Sizes of the groups of bytes that are hashed to embeddings."},
    {"cross_attn_all_layers", "", Group::attention, "Cross-attention in every layer, not in the first alone."},
    {"patch_in_forward", "", Group::other, "The small model that cuts bytes into patches is part of the model."},
    {"qk_dim_factor", "", Group::state_space, "Width of queries and keys over the hidden size."},
    {"v_dim_factor", "", Group::state_space, "Width of values over the hidden size."},
    {"ffn_proj_factor", "", Group::feed_forward, "Inner width of the feed-forward block over the hidden size, before rounding."},
    {"weight_mode", "", Group::other, "Projections one by one or fused."},
    {"block_types", "", Group::layers, "What layers are, over and over."},
    {"layer_group_size", "i", Group::layers, "Every how many layers attention is full; layer_types says it layer by layer."},
    {"mlp_layer_types", "", Group::layers, "Whether each layer's feed-forward block is dense or a mixture of experts."},
    {"full_attn_layers", "", Group::layers, "Layers with full attention, by number from 1."},
    {"kda_layers", "", Group::layers, "Layers with linear attention, by number from 1."},
    {"attn_layer_indices", "", Group::layers, "Layers with attention, by index from 0."},
    {"full_attn_idxs", "", Group::layers, "Layers with attention, by index from 0; null: all."},
    {"mlp_only_layers", "", Group::layers, "Layers with a dense feed-forward block, by index from 0."},
    {"full_attention_interval", "i", Group::layers, "Every how many layers attention is full; layer_types says it layer by layer."},
    {"layer_types", "", Group::layers, "What each layer is, first to last."},
    {"layers_block_type", "", Group::layers, "What each layer is, first to last."},
    {"hybrid_override_pattern", "", Group::layers, "What each layer is, a letter each: M mixer, E experts, * attention, - feed-forward."},
    {"hybrid_layer_ids", "", Group::layers, "Layers that use a shared block, by index from 0."},
    {"use_shared_attention_adapter", "", Group::attention, "Each use of the shared attention has adapters of its own."},
    {"summary_use_proj", "", Group::head, "The multiple-choice head projects what it summarises."},
    {"summary_proj_to_labels", "", Group::head, "The multiple-choice head's projection has one output per label."},
    {"summary_type", "", Group::head, "Which token's state, or what of them, stands for the sequence."},
    {"enable_bias", "", Group::other, "All linear layers have biases."},
    {"layer_norm_elementwise_affine", "", Group::other, "The norms have weights and biases."},
    {"do_layer_norm_before", "", Group::layers, "Norms stand before attention and feed-forward, and one after the last layer."},
    {"_remove_final_layer_norm", "", Group::layers, "There is no norm after the last layer."},
    {"use_qkv_bias", "", Group::attention, "The projections to query, key and value have biases."},
    {"qk_layernorm", "", Group::attention, "Queries and keys are normalised, head by head."},
    {"use_parallel_residual", "", Group::layers, "Attention and feed-forward read the same input, side by side: one norm less."},
    {"use_lang_emb", "", Group::vocabulary, "Each of several languages has an embedding."},
    {"is_encoder", "", Group::attention, "The model is used as an encoder."},
    {"asm", "", Group::head, "The head is an adaptive softmax."},
    {"attn_layers", "", Group::layers, "What attention each layer has, first to last: \"local\" or \"lsh\" (by hashes)."},
    {"axial_pos_embds", "", Group::vocabulary, "Positions are told by their row and their column, each with a table."},
    {"axial_pos_shape", "", Group::vocabulary, "Rows and columns that positions are laid out in."},
    {"axial_pos_embds_dim", "", Group::vocabulary, "Widths of the two tables of positions; they add up to the hidden size."},
    {"no_bias", "", Group::other, "Linear layers have no biases but that of query, key and value."},
    {"multi_query_attention", "", Group::attention, "Several query heads share a key and value head."},
    {"add_qkv_bias", "", Group::attention, "The projections to query, key and value have biases."},
    {"rmsnorm", "", Group::other, "The norms have weights only."},
    {"post_layer_norm", "", Group::layers, "A norm after the last layer."},
    {"use_task_id", "", Group::vocabulary, "The task of a text has an embedding."},
    {"concat_input", "", Group::vocabulary, "Embeddings of token, sound and shape are joined and projected, not added."},
    {"enable_pronunciation", "", Group::vocabulary, "The joined embeddings include the sound's."},
    {"enable_shape", "", Group::vocabulary, "The joined embeddings include the shape's."},
    {"languages", "", Group::other, "Languages with adapters of their own."},
    {"pre_norm", "", Group::other, "Norms stand before the blocks, and one after the last layer."},
    {"adapter_layer_norm", "", Group::other, "The adapters of each layer have a norm of their own."},
    {"qkv_bias", "", Group::attention, "The projections to queries, keys and values have biases."},
    {"lm_head_bias", "", Group::head, "The output head has a bias."},
    {"mlp_layer_types", "", Group::layers, "Whether each layer has a mixture of experts (\"sparse\") or not (\"dense\"), first to last."},
    {"moe_layers", "", Group::layers, "Layers with a mixture of experts, by index from 0."},
    {"sparse_attention_freq", "", Group::layers, "Whether each layer's attention is sparse (1) or not (0), first to last."},
    {"use_dsa", "", Group::attention, "Layers without a window have an indexer."},
    {"use_sliding_window", "", Group::attention, "Some layers have a sliding window."},
    {"local_layer_ids", "", Group::layers, "Layers with a sliding window, by index from 0."},
    {"compress_ratios", "", Group::layers, "What each layer's attention sees: 0 a window, 4 light, 128 heavy compression."},
    {"indexer_types", "", Group::layers, "Whether each layer has an indexer (\"full\") or uses the last one's choice (\"shared\")."},
    {"index_topk_pattern", "", Group::layers, "Whether each layer has an indexer, a letter each: F full, S shared."},
    {"router_bias", "", Group::experts, "The router has a bias."},
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
