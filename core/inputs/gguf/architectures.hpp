#pragma once

#include <cstdint>

#include "core/support/text.hpp"

namespace param_ledger::gguf_table {

// The usual model type of each supported GGUF architecture, and GGUF keys with the configuration fields whose values they hold. Source:
// llama.cpp, convert_hf_to_gguf.py (set_gguf_parameters of each model) and gguf-py/gguf/constants.py.

/// Properties of a model type's configuration or of its GGUF files that not all architectures share.
enum Trait : unsigned {
  head_dim = 1U << 0U,     ///< the file's `attention.key_length` is the value of the field `head_dim`
  always_tied = 1U << 1U,  ///< always ties the output head, even if the file stores a copy of it; without this flag, the head is tied only
                           ///< if the file stores no output matrix
  attention_bias = 1U << 2U,  ///< the configuration has a boolean field `attention_bias`
  mlp_bias = 1U << 3U,        ///< the configuration has a boolean field `mlp_bias`
  no_kv = 1U << 4U,           ///< the configuration has no field `num_key_value_heads`
  some_attend = 1U << 5U,     ///< the file gives 0 as the number of key-value heads of layers without attention
};

struct Converted {
  Text name;  ///< the architecture's name in GGUF
  Text model_type;
  Text class_name;
  unsigned traits = 0;
  Text experts = {};  ///< the configuration field for the number of experts
  Text inner = {};    ///< the configuration field for the experts' hidden dimension
};

inline constexpr Converted gguf_architectures[] = {
    {"llama", "llama", "LlamaForCausalLM", head_dim | attention_bias | mlp_bias},
    {"qwen2", "qwen2", "Qwen2ForCausalLM"},
    {"qwen2moe", "qwen2_moe", "Qwen2MoeForCausalLM", 0, "num_experts", "moe_intermediate_size"},
    {"qwen3", "qwen3", "Qwen3ForCausalLM", head_dim | attention_bias},
    {"qwen3moe", "qwen3_moe", "Qwen3MoeForCausalLM", head_dim | attention_bias, "num_experts", "moe_intermediate_size"},
    {"gemma", "gemma", "GemmaForCausalLM", head_dim | always_tied | attention_bias},
    {"gemma2", "gemma2", "Gemma2ForCausalLM", head_dim | always_tied | attention_bias},
    {"gemma3", "gemma3_text", "Gemma3ForCausalLM", head_dim | always_tied | attention_bias},
    {"phi3", "phi3", "Phi3ForCausalLM"},
    {"phi2", "phi", "PhiForCausalLM"},
    {"gpt2", "gpt2", "GPT2LMHeadModel", always_tied | no_kv},
    {"gptneox", "gpt_neox", "GPTNeoXForCausalLM", no_kv},
    {"bloom", "bloom", "BloomForCausalLM", always_tied | no_kv},
    {"falcon", "falcon", "FalconForCausalLM", always_tied | no_kv},
    {"starcoder", "gpt_bigcode", "GPTBigCodeForCausalLM", always_tied | no_kv},
    {"starcoder2", "starcoder2", "Starcoder2ForCausalLM"},
    {"mpt", "mpt", "MptForCausalLM", always_tied | no_kv},
    {"stablelm", "stablelm", "StableLmForCausalLM"},
    {"command-r", "cohere", "CohereForCausalLM", always_tied | attention_bias},
    {"cohere2", "cohere2", "Cohere2ForCausalLM", always_tied | attention_bias | head_dim},
    {"olmo", "olmo", "OlmoForCausalLM", attention_bias},
    {"olmo2", "olmo2", "Olmo2ForCausalLM", attention_bias},
    {"olmoe", "olmoe", "OlmoeForCausalLM", attention_bias, "num_experts"},
    {"granite", "granite", "GraniteForCausalLM", attention_bias | mlp_bias},
    {"granitemoe", "granitemoe", "GraniteMoeForCausalLM", attention_bias, "num_local_experts"},
    {"glm4", "glm4", "Glm4ForCausalLM", head_dim | attention_bias},
    {"smollm3", "smollm3", "SmolLM3ForCausalLM", attention_bias | mlp_bias},
    {"exaone4", "exaone4", "Exaone4ForCausalLM", head_dim},
    {"seed_oss", "seed_oss", "SeedOssForCausalLM", head_dim | attention_bias | mlp_bias},
    {"nemotron", "nemotron", "NemotronForCausalLM", head_dim | attention_bias | mlp_bias},
    {"ernie4_5", "ernie4_5", "Ernie4_5ForCausalLM", head_dim},
    {"gpt-oss", "gpt_oss", "GptOssForCausalLM", head_dim, "num_local_experts", "intermediate_size"},
    {"deepseek2", "deepseek_v2", "DeepseekV2ForCausalLM", attention_bias, "n_routed_experts", "moe_intermediate_size"},
    {"glm4moe", "glm4_moe", "Glm4MoeForCausalLM", head_dim | attention_bias, "n_routed_experts", "moe_intermediate_size"},
    {"dots1", "dots1", "Dots1ForCausalLM", head_dim | attention_bias, "n_routed_experts", "moe_intermediate_size"},
    {"minimax-m2", "minimax_m2", "MiniMaxM2ForCausalLM", head_dim, "num_local_experts", "intermediate_size"},
    {"phimoe", "phimoe", "PhimoeForCausalLM", attention_bias, "num_local_experts", "intermediate_size"},
    {"hunyuan-moe", "hunyuan_v1_moe", "HunYuanMoEV1ForCausalLM", head_dim | attention_bias, "num_experts", "intermediate_size"},
    {"arcee", "arcee", "ArceeForCausalLM", head_dim | attention_bias | mlp_bias},
    {"hunyuan-dense", "hunyuan_v1_dense", "HunYuanDenseV1ForCausalLM", head_dim | attention_bias},
    {"mamba", "mamba", "MambaForCausalLM", no_kv},
    {"mamba2", "mamba2", "Mamba2ForCausalLM", no_kv},
    {"qwen3next", "qwen3_next", "Qwen3NextForCausalLM", head_dim | attention_bias, "num_experts", "moe_intermediate_size"},
    {"qwen35", "qwen3_5_text", "Qwen3_5ForCausalLM", head_dim | attention_bias},
    {"qwen35moe", "qwen3_5_moe_text", "Qwen3_5MoeForCausalLM", head_dim | attention_bias, "num_experts", "moe_intermediate_size"},
    {"lfm2", "lfm2", "Lfm2ForCausalLM", some_attend},
    {"lfm2moe", "lfm2_moe", "Lfm2MoeForCausalLM", some_attend, "num_experts", "moe_intermediate_size"},
    {"gemma-embedding", "gemma3_text", "Gemma3TextModel", head_dim | always_tied | attention_bias},
    {"gemma4", "gemma4_text", "Gemma4ForCausalLM", attention_bias},
    {"modern-bert", "modernbert", "ModernBertModel", attention_bias | mlp_bias | no_kv},
    {"nomic-bert", "nomic_bert", "NomicBertModel", no_kv},
    {"eurobert", "eurobert", "EuroBertModel", head_dim | attention_bias | mlp_bias},
    {"t5", "t5", "T5ForConditionalGeneration", no_kv},
    {"t5encoder", "t5", "T5EncoderModel", no_kv},
    {"mistral3", "mistral", "MistralForCausalLM", head_dim},
    {"llama4", "llama4_text", "Llama4ForCausalLM", head_dim | attention_bias, "num_local_experts", "intermediate_size"},
    {"ernie4_5-moe", "ernie4_5_moe", "Ernie4_5_MoeForCausalLM", head_dim, "moe_num_experts", "moe_intermediate_size"},
    {"granitehybrid", "granitemoehybrid", "GraniteMoeHybridForCausalLM", attention_bias | some_attend, "num_local_experts"},
    {"nemotron_h", "nemotron_h", "NemotronHForCausalLM", head_dim | mlp_bias | some_attend},
    {"nemotron_h_moe", "nemotron_h", "NemotronHForCausalLM", head_dim | mlp_bias | some_attend, "n_routed_experts",
     "moe_intermediate_size"},
    {"falcon-h1", "falcon_h1", "FalconH1ForCausalLM", head_dim | attention_bias | mlp_bias},
    {"jamba", "jamba", "JambaForCausalLM", some_attend, "num_experts"},
    {"afmoe", "afmoe", "AfmoeForCausalLM", head_dim, "num_experts", "moe_intermediate_size"},
    {"exaone-moe", "exaone_moe", "ExaoneMoeForCausalLM", head_dim, "num_experts", "moe_intermediate_size"},
    {"jais2", "jais2", "Jais2ForCausalLM", head_dim | attention_bias | mlp_bias},
};

/// A configuration field, and the GGUF key that holds its value (without the architecture's prefix).
struct KeyedField {
  Text key;
  Text field;
};

inline constexpr KeyedField usual[] = {
    {"embedding_length", "hidden_size"},           {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},  {"attention.head_count", "num_attention_heads"},
    {"context_length", "max_position_embeddings"}, {"attention.sliding_window", "sliding_window"},
};
inline constexpr KeyedField of_gpt2[] = {{"embedding_length", "n_embd"},
                                         {"block_count", "n_layer"},
                                         {"feed_forward_length", "n_inner"},
                                         {"attention.head_count", "n_head"},
                                         {"context_length", "n_positions"}};
inline constexpr KeyedField of_mpt[] = {
    {"embedding_length", "d_model"}, {"block_count", "n_layers"}, {"attention.head_count", "n_heads"}, {"context_length", "max_seq_len"}};
inline constexpr KeyedField of_bloom[] = {
    {"embedding_length", "hidden_size"}, {"block_count", "n_layer"}, {"attention.head_count", "n_head"}};
inline constexpr KeyedField of_falcon[] = {{"embedding_length", "hidden_size"},
                                           {"block_count", "num_hidden_layers"},
                                           {"attention.head_count", "num_attention_heads"},
                                           {"feed_forward_length", "ffn_hidden_size"}};
inline constexpr KeyedField of_mamba[] = {{"embedding_length", "hidden_size"},
                                          {"block_count", "num_hidden_layers"},
                                          {"ssm.state_size", "state_size"},
                                          {"ssm.conv_kernel", "conv_kernel"}};
inline constexpr KeyedField of_latent[] = {{"attention.q_lora_rank", "q_lora_rank"},
                                           {"attention.kv_lora_rank", "kv_lora_rank"},
                                           {"rope.dimension_count", "qk_rope_head_dim"},
                                           {"leading_dense_block_count", "first_k_dense_replace"},
                                           {"expert_shared_count", "n_shared_experts"}};

inline constexpr KeyedField of_shared[] = {{"leading_dense_block_count", "first_k_dense_replace"},
                                           {"expert_shared_count", "n_shared_experts"}};
inline constexpr KeyedField of_delta[] = {{"ssm.conv_kernel", "linear_conv_kernel_dim"},
                                          {"ssm.state_size", "linear_key_head_dim"},
                                          {"ssm.group_count", "linear_num_key_heads"},
                                          {"ssm.time_step_rank", "linear_num_value_heads"},
                                          {"full_attention_interval", "full_attention_interval"}};
inline constexpr KeyedField of_lfm[] = {{"shortconv.l_cache", "conv_L_cache"}, {"leading_dense_block_count", "num_dense_layers"}};
inline constexpr KeyedField of_ernie[] = {{"interleave_moe_layer_step", "moe_layer_interval"},
                                          {"leading_dense_block_count", "moe_layer_start_index"},
                                          {"expert_shared_count", "moe_num_shared_experts"}};
inline constexpr KeyedField of_gemma4[] = {{"attention.key_length", "global_head_dim"},
                                           {"attention.key_length_swa", "head_dim"},
                                           {"attention.shared_kv_layers", "num_kv_shared_layers"},
                                           {"embedding_length_per_layer_input", "hidden_size_per_layer_input"}};
inline constexpr KeyedField of_t5[] = {{"embedding_length", "d_model"},
                                       {"block_count", "num_layers"},
                                       {"decoder_block_count", "num_decoder_layers"},
                                       {"feed_forward_length", "d_ff"},
                                       {"attention.head_count", "num_heads"},
                                       {"attention.key_length", "d_kv"},
                                       {"attention.relative_buckets_count", "relative_attention_num_buckets"}};
inline constexpr KeyedField of_shared_block[] = {{"expert_shared_feed_forward_length", "shared_intermediate_size"}};
inline constexpr KeyedField of_llama4[] = {{"feed_forward_length", "intermediate_size_mlp"},
                                           {"interleave_moe_layer_step", "interleave_moe_layer_step"}};
inline constexpr KeyedField of_mixers[] = {{"ssm.conv_kernel", "mamba_d_conv"},
                                           {"ssm.state_size", "mamba_d_state"},
                                           {"ssm.group_count", "mamba_n_groups"},
                                           {"ssm.time_step_rank", "mamba_n_heads"}};
inline constexpr KeyedField of_jamba[] = {
    {"ssm.conv_kernel", "mamba_d_conv"}, {"ssm.state_size", "mamba_d_state"}, {"ssm.time_step_rank", "mamba_dt_rank"}};
inline constexpr KeyedField of_nemotron_h[] = {{"ssm.conv_kernel", "conv_kernel"},
                                               {"ssm.state_size", "ssm_state_size"},
                                               {"ssm.group_count", "n_groups"},
                                               {"ssm.time_step_rank", "mamba_num_heads"},
                                               {"expert_shared_feed_forward_length", "moe_shared_expert_intermediate_size"},
                                               {"expert_shared_count", "n_shared_experts"},
                                               {"moe_latent_size", "moe_latent_size"}};
inline constexpr KeyedField of_afmoe[] = {{"leading_dense_block_count", "num_dense_layers"}, {"expert_shared_count", "num_shared_experts"}};
inline constexpr KeyedField of_exaone_moe[] = {{"leading_dense_block_count", "first_k_dense_replace"},
                                               {"expert_shared_count", "num_shared_experts"}};

}  // namespace param_ledger::gguf_table
