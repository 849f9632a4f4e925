// LFM2 and LFM3: each layer has a gated short convolution, or attention with QK-Norm. In LFM2-MoE the first num_dense_layers layers have
// dense feed-forward blocks and the others mixtures of experts; in the other types all blocks are dense.
// Source: transformers, models/lfm2, lfm2_moe, lfm3.

#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"tie_embedding", "tie_word_embeddings"}, {"block_ff_dim", "intermediate_size"}};
constexpr Alias moe_aliases[] = {{"tie_embedding", "tie_word_embeddings"}};
constexpr std::string_view kinds_of_layers[] = {"conv", "full_attention", "attention", "sliding_attention"};

/// The sizes and options of LFM's attention layers and of its convolution layers.
struct Lfm {
  Expr d, n_layers, vocab;
  Attention attention;
  Expr kernel;
  bool conv_bias;
  bool head_gate = false, sandwich = false;
};

Lfm lfm(Config c, const DecoderSizes& s, const Attention& attention, std::uint64_t kernel) {
  return {s.d, s.n_layers, s.vocab, attention, c.integer("conv_L_cache", kernel), c.flag("conv_bias", false)};
}

/// The settings of attention with LFM2's module names.
Attention lfm2_attention(Config c, const DecoderSizes& s) {
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", attribute.or_else(floor_divide(s.d, s.n)));
  return {.hidden = s.d,
          .heads = s.n,
          .kv_heads = n_kv,
          .head_dim = h,
          .head_norms = QkNorm::per_head,
          .o = "out_proj",
          .q_norm = "q_layernorm",
          .k_norm = "k_layernorm"};
}

template <class FeedForward>
BackboneOutput record(Config c, Builder& b, const Lfm& m, const std::vector<std::string_view>& kinds, const FeedForward& feed_forward) {
  const Split layers = split(c, m.n_layers, "num_conv_layers", "L_c", "Layers with a short convolution; the others have attention.",
                             [&](std::size_t i) { return kinds[i] == "conv"; });
  BackboneOutput out = decoder(
      b, m.vocab, m.d,
      [&] {
        b.repeat("layers", all(m.n_layers), [&] { rms_norm(b, "operator_norm", m.d); });
        b.repeat("layers", layers.in, [&] { short_convolution(b, "conv", m.d, m.kernel, m.conv_bias); });
        b.repeat("layers", layers.out, [&] {
          attention(b, "self_attn", m.attention);
          if (m.head_gate)
            b.scope(Part::attention, "self_attn",
                    [&] { linear(b, "gate_proj", m.d, m.attention.heads, false, TensorRole::attention_gate); });
        });
        b.repeat("layers", all(m.n_layers), [&] {
          if (m.sandwich) rms_norm(b, "post_operator_norm", m.d);
          rms_norm(b, "ffn_norm", m.d);
        });
        feed_forward();
        if (m.sandwich) b.repeat("layers", all(m.n_layers), [&] { rms_norm(b, "post_ffn_norm", m.d); });
      },
      Norm::rms, "embedding_norm");
  out.tie_by_default = true;
  return out;
}

void dense(Builder& b, Expr d, Expr f) { gated_mlp(b, "feed_forward", d, f, false, {"w1", "w3", "w2"}); }

/// The inner width: two thirds of intermediate_size times block_ffn_dim_multiplier (both rounded down), rounded up to a multiple of
/// block_multiple_of. If block_auto_adjust_ff_dim is false, it is intermediate_size itself.
Expr adjusted(Config c, Expr f) {
  const Expr multiple = c.integer("block_multiple_of", 256, 1);
  const Expr scaled = c.scaled("block_ffn_dim_multiplier", 1.0, floor_divide(2 * f, c.literal(3)), "scaled_intermediate_size", "f_s");
  return c.flag("block_auto_adjust_ff_dim", true) ? ceil_divide(scaled, multiple) * multiple : f;
}

BackboneOutput lfm2_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2560, 12288, 32, 65536, 32});
  const Expr f = adjusted(c, s.f);
  const Lfm m = lfm(c, s, lfm2_attention(c, s), 3);
  const auto given = c.integers("full_attn_idxs");
  const LayerList full(given.value_or(std::vector<std::int64_t>{}));
  const auto kinds = layer_kinds(c, "layer_types", s.n_layers, kinds_of_layers,
                                 [&](std::size_t i) { return !given || full.has(i) ? "full_attention" : "conv"; });
  return record(c, b, m, kinds, [&] { b.repeat("layers", all(s.n_layers), [&] { dense(b, s.d, f); }); });
}

BackboneOutput moe_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 7168, 32, 65536, 32});
  const Lfm m = lfm(c, s, lfm2_attention(c, s), 3);
  Mixture experts = mixture_fields(c, s.d, {.count = 32, .active = 4, .inner = 1792, .count_field = "num_experts"}, mixtral_experts({}));
  if (c.flag("use_expert_bias", true)) experts.correction = RouterBias::buffer;
  experts.correction_name = "expert_bias";
  const Split blocks = dense_first(s.n_layers, c.integer("num_dense_layers", 2));
  const auto kinds = layer_kinds(c, "layer_types", s.n_layers, kinds_of_layers, [&](std::uint64_t) -> std::string_view {
    c.refuse(ErrorCode::missing_field, "layer_types", "must be given: this model type has no default for it.");
  });
  return record(c, b, m, kinds, [&] {
    b.repeat("layers", blocks.out, [&] { dense(b, s.d, s.f); });
    b.repeat("layers", blocks.in, [&] { mixture(b, "feed_forward", experts); });
  });
}

BackboneOutput lfm3_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 7680, 24, 128000, 16});
  const Expr n_kv = c.integer("num_key_value_heads", 4), h = c.integer("head_dim", 128);
  const bool bias = c.flag("attention_bias", false);
  Lfm m = lfm(
      c, s,
      {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias, .head_norms = QkNorm::per_head},
      7);
  m.head_gate = c.flag("use_attention_gate", true);
  m.sandwich = c.flag("use_sandwich_norm", true);
  const auto kinds = layer_kinds(c, "layer_types", s.n_layers, kinds_of_layers, [](std::uint64_t i) {
    return i % 4 == 2 ? "full_attention" : i % 4 == 0 && i > 0 ? "sliding_attention" : "conv";
  });
  return record(c, b, m, kinds, [&] { b.repeat("layers", all(s.n_layers), [&] { dense(b, s.d, s.f); }); });
}

/// Whether a layer of LFM3 has a sliding window in a configuration without layer_types.
bool slides(Config /*c*/, std::size_t layer, std::size_t /*n_layers*/) { return layer % 4 == 0 && layer > 0; }

}  // namespace

extern const Family lfm2{
    .model_type = "lfm2",
    .summary = "Hybrid of gated short convolutions and attention; tied embeddings.",
    .classes = {"Lfm2", heads::decoder},
    .aliases = aliases,
    .backbone = lfm2_backbone,
    .cache = caches::all_tokens,
};
extern const Family lfm2_moe{
    .model_type = "lfm2_moe",
    .summary = "Like LFM2, with a mixture of experts after the dense layers.",
    .classes = {"Lfm2Moe", heads::decoder},
    .aliases = moe_aliases,
    .backbone = moe_backbone,
    .cache = caches::all_tokens,
};
extern const Family lfm3{
    .model_type = "lfm3",
    .summary = "Like LFM2, with gated attention and post-norms.",
    .classes = {"Lfm3", heads::decoder},
    .backbone = lfm3_backbone,
    .cache = caches::listed(256, slides),
};

}  // namespace param_ledger
