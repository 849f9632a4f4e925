// Jamba: layers with a Mamba mixer, which has internal norms, or with attention. A period and an offset select the layers with attention;
// another pair selects those with a mixture of experts, if there is more than one expert.
// Source: transformers, models/jamba.

#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "num_experts"}};

/// Selects every `period`-th layer, beginning with layer `offset`.
struct Turn {
  Expr period, offset;
  [[nodiscard]] bool at(std::uint64_t i) const { return i % period.decide() == offset.decide(); }
};

Turn turn(Config c, Text period, std::uint64_t every, Text offset, std::uint64_t from) {
  const Turn out{c.integer(period, every, 1), c.integer(offset, from)};
  if (out.offset.decide() >= out.period.decide()) c.refuse(ErrorCode::inconsistent, offset, "must be less than the period.");
  return out;
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 14336, 32, 65536, 32});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", attribute.or_else(floor_divide(s.d, s.n)));
  const Turn attentions = turn(c, "attn_layer_period", 8, "attn_layer_offset", 4);
  const MambaMixer mixer{.hidden = s.d,
                         .inner = c.integer("mamba_expand", 2) * s.d,
                         .state = c.integer("mamba_d_state", 16),
                         .step_rank = c.integer("mamba_dt_rank", unless_auto.or_else(ceil_divide(s.d, c.literal(16)))),
                         .kernel = c.integer("mamba_d_conv", 4),
                         .conv_bias = c.flag("mamba_conv_bias", true),
                         .projection_bias = c.flag("mamba_proj_bias", false),
                         .norms = true};
  const Mixture experts =
      mixture_fields(c, s.d, {.count = 16, .active = 2, .count_field = "num_experts"}, {.inner = s.f, .router = "router"});
  const Turn sparse = turn(c, "expert_layer_period", 2, "expert_layer_offset", 1);

  const Split layers =
      split(c, s.n_layers, "num_attention_layers", "L_a", "Layers with attention.", [&](std::size_t i) { return attentions.at(i); });
  const Split blocks = split(c, s.n_layers, "num_sparse_layers", "L_e", "Layers with a mixture of experts.",
                             [&](std::size_t i) { return experts.count.decide() > 1 && sparse.at(i); });
  return decoder(
      b, s.vocab, s.d,
      [&] {
        b.repeat("layers", all(s.n_layers), [&] { rms_norm(b, "input_layernorm", s.d); });
        b.repeat("layers", layers.out, [&] { mamba_mixer(b, "mamba", mixer); });
        b.repeat("layers", layers.in, [&] { attention(b, "self_attn", {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h}); });
        b.repeat("layers", all(s.n_layers), [&] { rms_norm(b, "pre_ff_layernorm", s.d); });
        sparse_feed_forward(b, {.layers = blocks, .mixture = experts, .dense = s.f, .name = "feed_forward"});
      },
      Norm::rms, "final_layernorm");
}

}  // namespace

extern const Family jamba{
    .model_type = "jamba",
    .summary = "Hybrid of Mamba and attention layers; a mixture of experts in every other layer.",
    .classes = {"Jamba", heads::decoder | heads::sequence},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
    .peft = PeftExperts::parameters,
};

}  // namespace param_ledger
