#include "core/foreign.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

/// What a key says by being there.
struct Mark {
  Text key, model_type;
};

/// In this order: Llama 4's files have what Llama's have, and more.
constexpr Mark marks[] = {
    {"moe_inter_dim", "deepseek_params"},
    {"inter_dim", "deepseek_params"},
    {"n_routed_experts", "deepseek_params"},
    {"n_groups", "mamba_params"},
    {"pad_vocab_size_multiple", "mamba_params"},
    {"moe_args", "llama4_params"},
    {"vision_args", "llama4_params"},
    {"ffn_exp", "llama4_params"},
    {"nope_layer_interval", "llama4_params"},
    {"use_qk_norm", "llama4_params"},
    {"vision_chunk_size", "llama_vision_params"},
    {"vision_num_cross_attention_layers", "llama_vision_params"},
    {"vision_encoder", "mistral_params"},
    {"moe", "mistral_params"},
    {"head_dim", "mistral_params"},
};

/// The configurations of GPTs that courses and their like write.
Text course_type(Json root) {
  if (root["emb_dim"] && root["n_heads"] && root["n_layers"]) return "llms_from_scratch";
  if (!root["block_size"] || !root["n_layer"] || !root["n_embd"]) return {};
  for (const Text key : {"hf_config", "padding_multiple", "padded_vocab_size", "norm_class_name", "mlp_class_name", "n_query_groups"})
    if (root[key]) return "litgpt";
  return "nanogpt";
}

}  // namespace

Text foreign_type(Json root) {
  if (!root["dim"] || !root["n_layers"]) return course_type(root);
  for (const Mark& mark : marks)
    if (root[mark.key]) return mark.model_type;
  return "llama_params";
}

const Section* stated_section(Config c, Text name) {
  if (is_given(c, name)) return &c.section(name);
  c.consume(name);
  return nullptr;
}

void refuse_unknown_keys(Config c, std::span<const Text> harmless) {
  const auto known = [&](std::string_view key) {
    return std::find(c.consumed.begin(), c.consumed.end(), key) != c.consumed.end() ||
           std::find(harmless.begin(), harmless.end(), key) != harmless.end();
  };
  for (const auto& [key, value] : c.json.members())
    if (!value.is_null() && !known(key))
      c.refuse(ErrorCode::unsupported, std::string(clipped(key, 100)),
               "is no key that files of this format are known to have, and may change the model: leave it out if it does not.");
}

}  // namespace param_ledger
