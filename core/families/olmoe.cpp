// OLMoE: like Llama, with norms over all query heads and over all key heads, and a mixture of experts in each layer. In FlexOlmo, norms
// come after attention and mixture instead of before them. Source: transformers, models/olmoe, flex_olmo.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "num_experts"}};

struct Type {
  DecoderDefaults sizes;
  MixtureFields experts;
  bool flex;  ///< FlexOlmo: norms come after the blocks, and query and key norms are as wide as the projections
};

BackboneOutput olmo_mixture(Config c, Builder& b, const Type& type) {
  const DecoderSizes s = decoder_sizes(c, type.sizes);
  const Expr share = floor_divide(s.d, s.n);
  const Expr n_kv = c.integer("num_key_value_heads", s.n), h = c.integer("head_dim", attribute.or_else(share));
  const bool bias = c.flag("attention_bias", false);
  SparseDecoder m{s, {.layers = sparse_everywhere(s.n_layers), .mixture = mixture_fields(c, s.d, type.experts, {.inner = s.f})}};
  if (type.flex) m.norms = {"post_attention_layernorm", "post_feedforward_layernorm"};
  const Attention a{.hidden = s.d,
                    .heads = s.n,
                    .kv_heads = n_kv,
                    .head_dim = h,
                    .qkv_bias = bias,
                    .output_bias = bias,
                    .head_norms = type.flex ? QkNorm::whole : QkNorm::none};
  return sparse_decoder(b, m, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      attention(b, "self_attn", a);
      if (type.flex) return;
      // The query and key norms assume heads of dimension hidden ÷ heads, even if head_dim is different.
      b.scope("self_attn", [&] {
        norm(b, Norm::rms, "q_norm", s.d, TensorRole::query_norm);
        norm(b, Norm::rms, "k_norm", share * n_kv, TensorRole::key_norm);
      });
    });
  });
}

BackboneOutput olmoe_backbone(Config c, Builder& b) {
  return olmo_mixture(c, b, {{2048, 2048, 16, 50304, 16}, {.count = 64, .active = 8, .count_field = "num_experts"}, false});
}

BackboneOutput flex_olmo_backbone(Config c, Builder& b) {
  return olmo_mixture(c, b, {{4096, 11008, 32, 100352, 32}, {.count = 7, .active = 5, .count_field = "num_experts"}, true});
}

}  // namespace

extern const Family flex_olmo{
    .model_type = "flex_olmo",
    .summary = "Like OLMoE, with norms after attention and experts.",
    .classes = {"FlexOlmo", heads::decoder},
    .aliases = aliases,
    .backbone = flex_olmo_backbone,
    .cache = caches::all_tokens,
};
extern const Family olmoe{
    .model_type = "olmoe",
    .summary = "Mixture of experts in each layer; QK-Norm over all heads.",
    .classes = {"Olmoe", heads::decoder},
    .aliases = aliases,
    .backbone = olmoe_backbone,
    .cache = caches::all_tokens,
    .peft = PeftExperts::converted,
};

}  // namespace param_ledger
