#pragma once

#include "core/devices/rule.hpp"

/// The rules in transformers' plans. Some are for common blocks that many model types share. Others are for one type or a few related ones,
/// and named after them.
namespace param_ledger::plan_rules {

using enum Style;

inline constexpr Rule attention[] = {{"layers.*.self_attn.q_proj|k_proj|v_proj", colwise}, {"layers.*.self_attn.o_proj", rowwise}};
inline constexpr Rule gathered_attention[] = {{"layers.*.self_attn.q_proj|k_proj|v_proj", colwise_gather_output},
                                              {"layers.*.self_attn.o_proj", rowwise_split_input}};
inline constexpr Rule latent_attention[] = {{"layers.*.self_attn.q_b_proj|kv_b_proj", colwise}, {"layers.*.self_attn.o_proj", rowwise}};
inline constexpr Rule gated_mlp[] = {{"layers|blocks.*.mlp|block_sparse_moe.gate_proj|linear_gate|up_proj", colwise},
                                     {"layers|blocks.*.mlp|block_sparse_moe.down_proj", rowwise}};
inline constexpr Rule plain_mlp[] = {{"layers.*.mlp.up_proj", colwise}, {"layers.*.mlp.down_proj", rowwise}};
inline constexpr Rule fused_mlp[] = {{"layers.*.mlp.gate_up_proj", colwise_gather_output}, {"layers.*.mlp.down_proj", rowwise_split_input}};
inline constexpr Rule numbered_mlp[] = {{"layers.*.mlp.fc1", colwise}, {"layers.*.mlp.fc2", rowwise}};
inline constexpr Rule shared_experts[] = {
    {"layers|blocks.*.mlp|block_sparse_moe.shared_experts|shared_expert|shared_mlp.gate_proj|linear_gate|up_proj", colwise},
    {"layers|blocks.*.mlp|block_sparse_moe.shared_experts|shared_expert|shared_mlp.down_proj", rowwise}};
inline constexpr Rule experts[] = {{"experts.gate_up_proj", packed_colwise}, {"experts.down_proj", rowwise}};
inline constexpr Rule linear_attention[] = {
    {"layers.*.linear_attn.in_proj_qkv|in_proj_z|in_proj_b|in_proj_a|out_proj", colwise_gather_output}};
inline constexpr Rule gated_heads[] = {{"layers.*.self_attn.g_proj|gate_proj|gate_bias", colwise}};
inline constexpr Rule direct_queries[] = {{"layers.*.self_attn.q_proj", colwise}};
inline constexpr Rule unpacked_experts[] = {{"experts.gate_up_proj", colwise}, {"experts.down_proj", rowwise}};
inline constexpr Rule sinks[] = {{"layers.*.self_attn.sinks|learnable_sink_param|attention_sink_bias", colwise}};
inline constexpr Rule by_expert[] = {{"experts.gate_up_proj|down_proj", grouped_gemm}};
inline constexpr Rule aria_text_modules[] = {{"experts.gate_up_proj", packed_rowwise}, {"experts.down_proj", colwise}};
inline constexpr Rule cosmos3_modules[] = {{"layers.*.self_attn.to_q|to_k|to_v", colwise},
                                           {"layers.*.self_attn.to_out", rowwise},
                                           {"layers.*.mlp.up_proj", colwise},
                                           {"layers.*.mlp.down_proj", rowwise}};
inline constexpr Rule doge_modules[] = {{"layers.*.self_attn.dt_proj", rowwise},
                                        {"layers.*.mlp.router_gate", colwise_gather_output},
                                        {"layers.*.mlp.down_embed|up_embed", embedding_rowwise}};
inline constexpr Rule ernie4_5_vl_moe_vision_modules[] = {{"blocks.*.mlp.fc1", colwise}, {"blocks.*.mlp.fc2", rowwise}};
inline constexpr Rule gemma4_vision_modules[] = {{"encoder.layers.*.self_attn.q_proj|k_proj|v_proj.linear", colwise},
                                                 {"encoder.layers.*.self_attn.o_proj.linear", rowwise},
                                                 {"encoder.layers.*.mlp.gate_proj|up_proj.linear", colwise},
                                                 {"encoder.layers.*.mlp.down_proj.linear", rowwise}};
inline constexpr Rule gpt_neox_modules[] = {{"layers.*.attention.query_key_value", colwise},
                                            {"layers.*.attention.dense", rowwise},
                                            {"layers.*.mlp.dense_h_to_4h", colwise},
                                            {"layers.*.mlp.dense_4h_to_h", rowwise}};
inline constexpr Rule hrm_modules[] = {{"H_module|L_module.layers.*.attn.gqkv_proj", colwise},
                                       {"H_module|L_module.layers.*.self_attn.q_proj|k_proj|v_proj|gate_proj", colwise},
                                       {"H_module|L_module.layers.*.attn.o_proj", rowwise},
                                       {"H_module|L_module.layers.*.mlp.gate_up_proj", packed_colwise},
                                       {"H_module|L_module.layers.*.mlp.down_proj", rowwise}};
inline constexpr Rule hy_v4_modules[] = {{"layers.*.self_attn.linear_gate", colwise}};
inline constexpr Rule llama4_modules[] = {{"multi_modal_projector.linear_1", colwise_gather_output}};
inline constexpr Rule llama4_text_modules[] = {{"layers.*.feed_forward.shared_expert.gate_proj|up_proj", colwise},
                                               {"layers.*.feed_forward.shared_expert.down_proj", rowwise},
                                               {"experts.gate_up_proj", packed_rowwise},
                                               {"experts.down_proj", colwise},
                                               {"layers.*.feed_forward.gate_proj|up_proj", colwise},
                                               {"layers.*.feed_forward.down_proj", rowwise}};
inline constexpr Rule llama4_vision_model_modules[] = {{"model.layers.*.self_attn.q_proj|k_proj|v_proj", colwise},
                                                       {"model.layers.*.self_attn.o_proj", rowwise},
                                                       {"vision_adapter.mlp.fc1", colwise},
                                                       {"vision_adapter.mlp.fc2", rowwise},
                                                       {"patch_embedding.linear", colwise_gather_output}};
inline constexpr Rule longcat_flash_modules[] = {{"layers.*.self_attn.*.q_b_proj|kv_b_proj", colwise},
                                                 {"layers.*.self_attn.*.o_proj", rowwise},
                                                 {"layers.*.mlps.*.gate_proj|up_proj", colwise},
                                                 {"layers.*.mlps.*.down_proj", rowwise}};
inline constexpr Rule muse_vision[] = {
    {"vision_adapter.fc1", colwise}, {"vision_adapter.fc2", rowwise}, {"vision_projection", colwise_gather_output}};
inline constexpr Rule muse_glimmer_assistant_modules[] = {{"encoder.fc", rowwise_split_input}};
inline constexpr Rule muse_glimmer_vision_modules[] = {{"patch_embedder.patch_embedding", colwise_gather_output},
                                                       {"layers.*.attn.q_proj|k_proj|v_proj", colwise},
                                                       {"layers.*.attn.proj", rowwise}};
inline constexpr Rule muse_spark_text_modules[] = {{"layers.*.mlp.pre_expert_proj|post_expert_proj", rowwise_split_input}};
inline constexpr Rule nemotron_h_modules[] = {
    {"embeddings", embedding_rowwise}, {"experts.gate_up_proj", colwise}, {"experts.down_proj", rowwise}};
inline constexpr Rule neomme_modules[] = {{"layers.*.self_attn.q_proj|k_proj|v_proj", colwise},
                                          {"layers.*.self_attn.output_projection.gate_proj", colwise},
                                          {"layers.*.self_attn.output_projection.o_proj", rowwise}};
inline constexpr Rule phi_modules[] = {{"layers.*.self_attn.q_proj|k_proj|v_proj", colwise}, {"layers.*.self_attn.dense", rowwise}};
inline constexpr Rule fused_attention[] = {{"layers.*.self_attn.qkv_proj", colwise_gather_output},
                                           {"layers.*.self_attn.o_proj", rowwise_split_input}};
inline constexpr Rule qwen3_next_modules[] = {{"layers.*.linear_attn.in_proj_qkvz|in_proj_ba|out_proj", colwise_gather_output}};
inline constexpr Rule qwen4_exp_text_modules[] = {{"layers.*.self_attn.indexer.index_qk_proj", colwise_gather_output},
                                                  {"layers.*.attn_hyper_connection.input_mix_weight_down", rowwise_split_input},
                                                  {"layers.*.mlp_hyper_connection.input_mix_weight_down", rowwise_split_input},
                                                  {"hyper_connection_mixer.input_mix_weight_down", rowwise_split_input},
                                                  {"layers.*.ple.ple_embedding.ngram_embedding", embedding_colwise}};
inline constexpr Rule starcoder2_modules[] = {{"layers.*.mlp.c_fc", colwise}, {"layers.*.mlp.c_proj", rowwise}};
inline constexpr Rule step3p5_modules[] = {{"layers.*.self_attn.g_proj", colwise_gather_output}};

}  // namespace param_ledger::plan_rules
