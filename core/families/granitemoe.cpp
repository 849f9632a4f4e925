// Granite MoE: like Granite, with a mixture of experts in each layer, stored in two tensors. granitemoeshared and granitemoe_swa add a
// shared feed-forward block if shared_intermediate_size is above 0. granitemoe_swa also has attention sinks and newer names for the
// experts' tensors. Source: transformers, models/<type>.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

struct MixtureKind {
  bool shared = false;  ///< whether the type has the field shared_intermediate_size, where 0 means no shared block
  bool sinks = false;
};

BackboneOutput granite_mixture(Config c, Builder& b, const MixtureKind& kind) {
  const DecoderSizes s = decoder_sizes(c, {4096, 11008, 32, 32000, 32});
  // Attention scores are scaled by attention_multiplier, not by the head dimension.
  const Attention a = attention_fields(c, s, Default{}, attribute, {.scaled_by_head_dim = false, .sinks = kind.sinks});
  const Mixture mixture =
      mixture_fields(c, s.d, {.count = 8, .active = 2, .count_field = "num_local_experts"},
                     kind.sinks ? Mixture{.inner = s.f, .layout = ExpertLayout::stacked, .router = "router"} : granite_experts(s.f));
  const Expr f_shared = kind.shared ? c.integer("shared_intermediate_size", 0) : Expr{};
  return sparse_decoder(b, {s, {.layers = sparse_everywhere(s.n_layers), .mixture = mixture, .name = "block_sparse_moe"}}, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      attention(b, "self_attn", a);
      if (f_shared && !is_zero(f_shared))
        b.owned_by(Owner::shared_expert, [&] { fused_gated_mlp(b, "shared_mlp", s.d, f_shared, false, "input_linear", "output_linear"); });
    });
  });
}

template <const MixtureKind& kind>
BackboneOutput of_kind(Config c, Builder& b) {
  return granite_mixture(c, b, kind);
}

constexpr MixtureKind plain{}, with_shared{.shared = true}, with_sinks{.shared = true, .sinks = true};

}  // namespace

extern const Family granitemoe{
    .model_type = "granitemoe",
    .summary = "Like Granite, with a mixture of experts in each layer.",
    .classes = {"GraniteMoe", heads::decoder},
    .backbone = of_kind<plain>,
    .cache = caches::all_tokens,
    .peft = PeftExperts::parameters,
};
extern const Family granitemoe_swa{
    .model_type = "granitemoe_swa",
    .summary = "Like Granite MoE, with a shared expert and attention sinks.",
    .classes = {"GraniteMoeSWA", heads::decoder},
    .backbone = of_kind<with_sinks>,
    .cache = caches::first_of(128, 4),
};
extern const Family granitemoeshared{
    .model_type = "granitemoeshared",
    .summary = "Like Granite MoE, with a shared expert.",
    .classes = {"GraniteMoeShared", heads::decoder},
    .backbone = of_kind<with_shared>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
