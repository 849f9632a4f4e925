#include "core/devices/engine.hpp"

#include <algorithm>

#include "core/support/error.hpp"

namespace param_ledger {

namespace {

using enum Style;

constexpr std::string_view names[] = {"transformers", "megatron", "vllm"};
constexpr std::string_view titles[] = {"transformers", "Megatron-Core", "vLLM"};

// Sources in Megatron-Core: models/gpt/gpt_model.py, gpt_layer_specs.py (local), transformer/attention.py, multi_latent_attention.py,
// mlp.py, moe/.

constexpr Held megatron_model[] = {{"embed_tokens.weight", "embedding.word_embeddings.weight", embedding_rowwise},
                                   {"layers.*.input_layernorm.weight", "decoder.layers.*.input_layernorm.weight", replicate},
                                   {"layers.*.post_attention_layernorm.weight", "decoder.layers.*.pre_mlp_layernorm.weight", replicate},
                                   {"norm.weight", "decoder.final_layernorm.weight", replicate},
                                   {"lm_head.weight", "output_layer.weight", colwise}};
constexpr Held megatron_attention[] = {
    {"layers.*.self_attn.q_proj|k_proj|v_proj.weight", "decoder.layers.*.self_attention.linear_qkv.weight", colwise},
    {"layers.*.self_attn.o_proj.weight", "decoder.layers.*.self_attention.linear_proj.weight", rowwise}};
constexpr Held megatron_biases[] = {
    {"layers.*.self_attn.q_proj|k_proj|v_proj.bias", "decoder.layers.*.self_attention.linear_qkv.bias", colwise}};
constexpr Held megatron_head_norms[] = {
    {"layers.*.self_attn.q_norm.weight", "decoder.layers.*.self_attention.q_layernorm.weight", replicate},
    {"layers.*.self_attn.k_norm.weight", "decoder.layers.*.self_attention.k_layernorm.weight", replicate}};
constexpr Held megatron_latent[] = {
    {"layers.*.self_attn.q_proj.weight", "decoder.layers.*.self_attention.linear_q_proj.weight", colwise},
    {"layers.*.self_attn.q_a_proj.weight", "decoder.layers.*.self_attention.linear_q_down_proj.weight", colwise_gather_output},
    {"layers.*.self_attn.q_a_layernorm.weight", "decoder.layers.*.self_attention.q_layernorm.weight", replicate},
    {"layers.*.self_attn.q_b_proj.weight", "decoder.layers.*.self_attention.linear_q_up_proj.weight", colwise},
    {"layers.*.self_attn.kv_a_proj_with_mqa.weight", "decoder.layers.*.self_attention.linear_kv_down_proj.weight", colwise_gather_output},
    {"layers.*.self_attn.kv_a_layernorm.weight", "decoder.layers.*.self_attention.kv_layernorm.weight", replicate},
    {"layers.*.self_attn.kv_b_proj.weight", "decoder.layers.*.self_attention.linear_kv_up_proj.weight", colwise},
    {"layers.*.self_attn.o_proj.weight", "decoder.layers.*.self_attention.linear_proj.weight", rowwise}};
constexpr Held megatron_mlp[] = {{"layers.*.mlp.gate_proj|up_proj.weight", "decoder.layers.*.mlp.linear_fc1.weight", colwise},
                                 {"layers.*.mlp.down_proj.weight", "decoder.layers.*.mlp.linear_fc2.weight", rowwise}};
constexpr Held megatron_router[] = {{"layers.*.mlp|block_sparse_moe.gate.weight", "decoder.layers.*.mlp.router.weight", replicate}};
constexpr Held megatron_shared[] = {
    {"layers.*.mlp.shared_experts.gate_proj|up_proj.weight", "decoder.layers.*.mlp.shared_experts.linear_fc1.weight", colwise},
    {"layers.*.mlp.shared_experts.down_proj.weight", "decoder.layers.*.mlp.shared_experts.linear_fc2.weight", rowwise},
    {"layers.*.mlp.gate.weight", "decoder.layers.*.mlp.router.weight", replicate}};
constexpr Held megatron_experts[] = {
    {"experts.gate_up_proj", "decoder.layers.*.mlp.experts.local_experts.*.linear_fc1.weight", packed_colwise},
    {"experts.down_proj", "decoder.layers.*.mlp.experts.local_experts.*.linear_fc2.weight", rowwise}};

constexpr EnginePlan megatron_plans[] = {
    {.model_type = "deepseek_v2",
     .parameters = {megatron_model, megatron_latent, megatron_mlp, megatron_shared},
     .experts = megatron_experts},
    {.model_type = "deepseek_v3",
     .parameters = {megatron_model, megatron_latent, megatron_mlp, megatron_shared},
     .experts = megatron_experts},
    {.model_type = "llama", .parameters = {megatron_model, megatron_attention, megatron_mlp}},
    {.model_type = "mistral", .parameters = {megatron_model, megatron_attention, megatron_mlp}},
    {.model_type = "mixtral", .parameters = {megatron_model, megatron_attention, megatron_router}, .experts = megatron_experts},
    {.model_type = "qwen2", .parameters = {megatron_model, megatron_attention, megatron_biases, megatron_mlp}},
    {.model_type = "qwen3", .parameters = {megatron_model, megatron_attention, megatron_head_norms, megatron_mlp}},
    {.model_type = "qwen3_moe",
     .parameters = {megatron_model, megatron_attention, megatron_head_norms, megatron_mlp, megatron_router},
     .experts = megatron_experts},
};

// Sources in vLLM: model_executor/models/llama.py, qwen2.py, qwen3.py, mixtral.py, qwen3_moe.py, deepseek_v2.py; layers/linear.py,
// vocab_parallel_embedding.py, fused_moe/layer.py.

constexpr Held vllm_model[] = {{"embed_tokens.weight", "model.embed_tokens.weight", embedding_rowwise},
                               {"layers.*.input_layernorm.weight", "model.layers.*.input_layernorm.weight", replicate},
                               {"layers.*.post_attention_layernorm.weight", "model.layers.*.post_attention_layernorm.weight", replicate},
                               {"norm.weight", "model.norm.weight", replicate},
                               {"lm_head.weight", "lm_head.weight", colwise_gather_output}};
constexpr Held vllm_attention[] = {
    {"layers.*.self_attn.q_proj.weight", "model.layers.*.self_attn.qkv_proj.weight", colwise},
    {"layers.*.self_attn.k_proj|v_proj.weight", "model.layers.*.self_attn.qkv_proj.weight", colwise_repeated},
    {"layers.*.self_attn.o_proj.weight", "model.layers.*.self_attn.o_proj.weight", rowwise}};
constexpr Held vllm_biases[] = {{"layers.*.self_attn.q_proj.bias", "model.layers.*.self_attn.qkv_proj.bias", colwise},
                                {"layers.*.self_attn.k_proj|v_proj.bias", "model.layers.*.self_attn.qkv_proj.bias", colwise_repeated}};
constexpr Held vllm_further_biases[] = {{"layers.*.self_attn.o_proj.bias", "model.layers.*.self_attn.o_proj.bias", replicate},
                                        {"layers.*.mlp.gate_proj|up_proj.bias", "model.layers.*.mlp.gate_up_proj.bias", colwise},
                                        {"layers.*.mlp.down_proj.bias", "model.layers.*.mlp.down_proj.bias", replicate}};
constexpr Held vllm_head_norms[] = {{"layers.*.self_attn.q_norm.weight", "model.layers.*.self_attn.q_norm.weight", replicate},
                                    {"layers.*.self_attn.k_norm.weight", "model.layers.*.self_attn.k_norm.weight", replicate}};
// In models with a query latent, both down projections are one replicated parameter (fused_qkv_a_proj, disable_tp).
constexpr Held vllm_latent[] = {
    {"layers.*.self_attn.q_proj.weight", "model.layers.*.self_attn.q_proj.weight", colwise},
    {"layers.*.self_attn.q_a_proj|kv_a_proj_with_mqa.weight", "model.layers.*.self_attn.fused_qkv_a_proj.weight", replicate,
     "layers.*.self_attn.q_a_proj.weight"},
    {"layers.*.self_attn.kv_a_proj_with_mqa.weight", "model.layers.*.self_attn.kv_a_proj_with_mqa.weight", replicate},
    {"layers.*.self_attn.q_a_layernorm.weight", "model.layers.*.self_attn.q_a_layernorm.weight", replicate},
    {"layers.*.self_attn.q_b_proj.weight", "model.layers.*.self_attn.q_b_proj.weight", colwise},
    {"layers.*.self_attn.kv_a_layernorm.weight", "model.layers.*.self_attn.kv_a_layernorm.weight", replicate},
    {"layers.*.self_attn.kv_b_proj.weight", "model.layers.*.self_attn.kv_b_proj.weight", colwise},
    {"layers.*.self_attn.o_proj.weight", "model.layers.*.self_attn.o_proj.weight", rowwise}};
constexpr Held vllm_mlp[] = {{"layers.*.mlp.gate_proj|up_proj.weight", "model.layers.*.mlp.gate_up_proj.weight", colwise},
                             {"layers.*.mlp.down_proj.weight", "model.layers.*.mlp.down_proj.weight", rowwise}};
constexpr Held vllm_router[] = {{"layers.*.mlp|block_sparse_moe.gate.weight", "model.layers.*.mlp.gate.weight", replicate}};
constexpr Held vllm_shared[] = {
    {"layers.*.mlp.shared_experts.gate_proj|up_proj.weight", "model.layers.*.mlp.shared_experts.gate_up_proj.weight", colwise},
    {"layers.*.mlp.shared_experts.down_proj.weight", "model.layers.*.mlp.shared_experts.down_proj.weight", rowwise},
    {"layers.*.mlp.gate.weight", "model.layers.*.mlp.gate.weight", replicate}};
constexpr Held vllm_experts[] = {{"experts.gate_up_proj", "model.layers.*.mlp.experts.w13_weight", packed_colwise},
                                 {"experts.down_proj", "model.layers.*.mlp.experts.w2_weight", rowwise}};

constexpr EnginePlan vllm_plans[] = {
    {.model_type = "deepseek_v2", .parameters = {vllm_model, vllm_latent, vllm_mlp, vllm_shared}, .experts = vllm_experts},
    {.model_type = "deepseek_v3", .parameters = {vllm_model, vllm_latent, vllm_mlp, vllm_shared}, .experts = vllm_experts},
    {.model_type = "llama", .parameters = {vllm_model, vllm_attention, vllm_biases, vllm_further_biases, vllm_mlp}},
    {.model_type = "mistral", .parameters = {vllm_model, vllm_attention, vllm_mlp}},
    {.model_type = "mixtral", .parameters = {vllm_model, vllm_attention, vllm_router}, .experts = vllm_experts, .whole_ends = true},
    {.model_type = "qwen2", .parameters = {vllm_model, vllm_attention, vllm_biases, vllm_mlp}},
    {.model_type = "qwen3", .parameters = {vllm_model, vllm_attention, vllm_biases, vllm_head_norms, vllm_mlp}},
    {.model_type = "qwen3_moe",
     .parameters = {vllm_model, vllm_attention, vllm_biases, vllm_head_norms, vllm_mlp, vllm_router},
     .experts = vllm_experts,
     .whole_ends = true},
};

std::span<const EnginePlan> plans_of(Engine engine) {
  switch (engine) {
    case Engine::megatron: return megatron_plans;
    case Engine::vllm: return vllm_plans;
    case Engine::transformers: break;
  }
  return {};
}

}  // namespace

std::string_view spelling(Engine engine) { return names[static_cast<std::size_t>(engine)]; }
std::string_view title_of(Engine engine) { return titles[static_cast<std::size_t>(engine)]; }

Engine engine_named(std::string_view name) {
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names))
    throw Error{ErrorCode::out_of_range, "plan",
                concat({"\"", clipped(name, 40), "\" is not a known plan; the plans are transformers, megatron and vllm."})};
  return static_cast<Engine>(found - std::begin(names));
}

const EnginePlan* engine_plan_of(Engine engine, std::string_view model_type) {
  for (const EnginePlan& plan : plans_of(engine))
    if (plan.model_type == model_type) return &plan;
  return nullptr;
}

std::string types_with_plan(Engine engine) {
  std::string out;
  for (const EnginePlan& plan : plans_of(engine)) out += concat({out.empty() ? "" : ", ", plan.model_type});
  return out;
}

Padding padding_of(Engine engine) { return engine == Engine::megatron ? Padding{128, true} : Padding{64, false}; }

}  // namespace param_ledger
