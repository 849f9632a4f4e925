// Zamba: Mamba layers with several heads. Hybrid layers begin with a transformer block, which they all share unless tie_word_embeddings is
// false. Source: transformers, models/zamba.

#include "core/builder/blocks.hpp"
#include "core/builder/inference.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"layer_types", "layers_block_type"}, {"head_dim", "attention_head_dim"}};
constexpr std::string_view kinds_of_layers[] = {"linear_attention", "hybrid", "mamba"};

std::vector<std::string_view> kinds_of(Config c, Expr n_layers) {
  const Expr period = c.integer("attn_layer_period", 6, 1), offset = c.integer("attn_layer_offset", 4);
  if (n_layers.decide() < 3 && !c.has("layers_block_type"))
    c.refuse(ErrorCode::out_of_range, "num_hidden_layers", "must be at least 3, unless layers_block_type is given.");
  return layer_kinds(c, "layers_block_type", n_layers, kinds_of_layers, [&](std::size_t i) -> std::string_view {
    return i == 2 || (i > 2 && (i - 3) % period.decide() == offset.decide()) ? "hybrid" : "linear_attention";
  });
}

/// Records Mamba's mixer, with separate selection parameters for each head.
void mixer_of_heads(Builder& b, Text name, const MambaMixer& m, Expr heads) {
  const Expr head_dim = floor_divide(m.inner, heads);
  require_positive(m.inner);
  b.scope(Part::state_space, name, [&] {
    const InBlock block(b, {Mechanism::mamba});
    linear(b, "in_proj", m.hidden, 2 * m.inner, m.projection_bias);
    depthwise_conv1d(b, "conv1d", m.inner, m.kernel, m.conv_bias);
    b.parameter("x_proj_weight", {heads, m.step_rank + 2 * m.state, head_dim}, StorageKind::matrix);
    b.parameter("dt_proj_weight", {heads, head_dim, m.step_rank}, StorageKind::matrix);
    b.parameter("dt_proj_bias", {heads, head_dim});
    b.parameter("A_log", {heads, head_dim, m.state});
    b.parameter("D", {heads, head_dim});
    linear(b, "out_proj", m.inner, m.hidden, m.projection_bias);
    record_states(b, {m.inner, m.kernel}, {heads, head_dim, m.state}, 1, Prompt::by_token);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {3712, 14848, 76, 32000, 16});
  const auto kinds = kinds_of(c, s.n_layers);
  const Expr d_attention = c.integer("attention_hidden_size", unless_zero.or_else(2 * s.d)), n_kv = c.integer("num_key_value_heads", 16);
  const Expr h = c.integer("attention_head_dim", unless_zero.or_else(floor_divide(2 * s.d, s.n)));
  const MambaMixer mixer{.hidden = s.d,
                         .inner = c.integer("mamba_expand", 2) * s.d,
                         .state = c.integer("mamba_d_state", 16),
                         .step_rank = c.integer("mamba_dt_rank", unless_auto.or_else(ceil_divide(s.d, c.literal(16)))),
                         .kernel = c.integer("mamba_d_conv", 4),
                         .conv_bias = c.flag("mamba_conv_bias", true),
                         .projection_bias = c.flag("mamba_proj_bias", false)};
  const Expr mixer_heads = c.integer("n_mamba_heads", 2, 1);
  const bool tied = c.flag("tie_word_embeddings", true);
  require_multiple(mixer.inner, mixer_heads);

  const auto shared_block = [&] {
    b.scope("shared_transf", [&] {
      rms_norm(b, "input_layernorm", d_attention);
      attention(b, "self_attn", {.hidden = d_attention, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .output = s.d});
      rms_norm(b, "pre_ff_layernorm", s.d);
      gated_mlp(b, "feed_forward", s.d, s.f);
    });
  };
  const Split layers = split(c, s.n_layers, "num_hybrid_layers", "L_h", "Layers preceded by a shared transformer block.",
                             [&](std::size_t i) { return kinds[i] == "hybrid"; });
  BackboneOutput out = decoder(
      b, s.vocab, s.d,
      [&] {
        b.repeat("layers", layers.out, [&] {
          rms_norm(b, "input_layernorm", s.d);
          mixer_of_heads(b, "mamba", mixer, mixer_heads);
        });
        b.repeat("layers", layers.in, [&] {
          b.part(Part::adapter, [&] { linear(b, "linear", s.d, s.d); });
          rms_norm(b, "mamba_decoder.input_layernorm", s.d);
          mixer_of_heads(b, "mamba_decoder.mamba", mixer, mixer_heads);
        });
        if (layers.in.empty()) return;
        const std::uint64_t holder = layers.in.runs.front().first;
        if (tied && layers.in.count.decide() == 1)
          c.refuse(ErrorCode::inconsistent, "layers_block_type", "must have at least two hybrid layers if they share a block.");
        b.repeat("layers", tied ? only(holder) : layers.in, shared_block);
        if (tied) b.repeat_tied("layers", all_but_first(layers.in), holder, shared_block);
      },
      Norm::rms, "final_layernorm");
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family zamba{
    .model_type = "zamba",
    .summary = "Mamba layers with one shared transformer block; tied embeddings.",
    .classes = {"Zamba", heads::decoder | heads::sequence},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
