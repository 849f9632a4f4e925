// StableLM: like Llama, with layer norms and, optionally, query, key and value biases, a separate norm for each head, or attention in
// parallel to feed-forward. Source: transformers, models/stablelm.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

/// Records a layer norm without bias for each query head and each key head.
void head_norms(Builder& b, const LlamaDecoder& m) {
  const auto norms_of = [&](Text name, Expr heads) {
    b.repeat(name, all(heads), [&] { unbiased_layer_norm(b, "", floor_divide(m.attention.hidden, m.attention.heads)); });
  };
  norms_of("self_attn.q_layernorm.norms", m.attention.heads);
  norms_of("self_attn.k_layernorm.norms", m.attention.kv_heads);
}

constexpr LlamaType type{.sizes = {2560, 6912, 32, 50304, 32},
                         .kv_heads = fixed(32),
                         .head_dim = absent,
                         .switches =
                             [](Config c, LlamaDecoder& m) {
                               m.attention.qkv_bias = c.flag("use_qkv_bias", false);
                               if (c.flag("qk_layernorm", false)) m.more = head_norms;
                               if (c.flag("use_parallel_residual", false)) m.norms = parallel_norms;
                             },
                         .layout = {.norm = Norm::layer}};

}  // namespace

extern const Family stablelm{
    .model_type = "stablelm",
    .summary = "Like Llama, with LayerNorm and partial RoPE.",
    .classes = {"StableLm", heads::decoder | heads::sequence | heads::token},
    .backbone = of_type<type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
