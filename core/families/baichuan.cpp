// Baichuan 1 and 2: like Llama, with a fused query, key and value projection. Source: modeling_baichuan.py and configuration_baichuan.py as
// published with the models. transformers has no model type for them.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr Text first_7b = "BaiChuanForCausalLM";

constexpr Architecture classes[] = {{first_7b, Head::causal_lm, "model"}, {"BaichuanForCausalLM", Head::causal_lm, "model"}};

constexpr LlamaType type{
    .sizes = {4096, 11008, 32, 64000, 32}, .kv_heads = absent, .head_dim = absent, .layout = {.attention = {.fused = "W_pack"}}};

BackboneOutput backbone(Config c, Builder& b) {
  // Baichuan-13B and Baichuan 2 share a class name, but the code published with each has different defaults, so the sizes must be given.
  if (b.architecture().name != first_7b)
    for (const Text size : {"hidden_size", "intermediate_size", "num_hidden_layers", "vocab_size", "num_attention_heads"})
      if (!c.has(size))
        c.refuse(ErrorCode::missing_field, size, "must be given for this class, because its published models have different values.");
  return llama_type(c, b, type);
}

}  // namespace

extern const Family baichuan{
    .model_type = "baichuan",
    .summary = "Like Llama, with multi-head attention and a fused QKV projection.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
