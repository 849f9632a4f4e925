// flash-linear-attention's plain transformer, native sparse attention (NSA), Samba and Mamba-2.
// Source: fla-org/flash-linear-attention, fla/models/<type> and fla/layers.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/fla.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

BackboneOutput transformer_backbone(Config c, Builder& b) {
  const Fla m = fla_fields(c);
  const Expr n = c.integer("num_heads", fixed(32), 1), n_kv = c.integer("num_kv_heads", n);
  const bool bias = c.flag("qkv_bias", false), normed = c.flag("qk_norm", false);
  const Hybrid h{.layers = {all(m.n_layers), {}},
                 .attention = {.hidden = m.d,
                               .heads = n,
                               .kv_heads = n_kv,
                               .head_dim = floor_divide(m.d, n),
                               .output_from = m.d,
                               .qkv_bias = bias,
                               .head_norms = normed ? QkNorm::per_head : QkNorm::none}};
  return fla_decoder(b, m, h, [] {});
}

/// Records native sparse attention, which has three gates for each head.
BackboneOutput nsa_backbone(Config c, Builder& b) {
  const Fla m = fla_fields(c);
  const Expr n = c.integer("num_heads", fixed(64), 1), n_kv = c.integer("num_kv_heads", fixed_not_null(4).or_else(n));
  const Expr head = c.integer("head_dim", 32);
  const bool bias = c.flag("qkv_bias", false);
  require_multiple(n, n_kv);
  return fla_decoder(b, m, {.layers = {{}, all(m.n_layers)}, .attention = {}}, [&] {
    attention(b, "", {.hidden = m.d, .heads = n, .kv_heads = n_kv, .head_dim = head, .qkv_bias = bias});
    b.part(Part::attention, [&] {
      const InBlock block(b, {Mechanism::branch_gates});
      linear(b, "g_proj", m.d, 3 * n);
    });
  });
}

MambaMixer fla_mamba_mixer(Config c, Expr d, Text step_rank) {
  return {.hidden = d,
          .inner = c.integer("intermediate_size", attribute.or_else(c.integer("expand", 2) * d)),
          .state = c.integer("state_size", 16),
          .step_rank = c.integer(step_rank, unless_auto.or_else(ceil_divide(d, c.literal(16)))),
          .kernel = c.integer("conv_kernel", 4),
          .projection_bias = c.flag("use_bias", false)};
}

/// Records Samba: each layer has Mamba or, by default every second layer, attention, followed by a feed-forward block.
BackboneOutput samba_backbone(Config c, Builder& b) {
  fla_checks(c);
  const Expr d = c.integer("hidden_size", 2304), n_layers = c.integer("num_hidden_layers", 18), vocab = c.integer("vocab_size", 32000);
  const MambaMixer mixer = fla_mamba_mixer(c, d, "time_step_rank");
  const Expr f = fla_inner_width(c, d, 4);
  const Hybrid h = hybrid(c, d, n_layers, {1, 3, 5, 7, 9, 11, 13, 15, 17}, 18, 2048);
  const Tensor table = embedding(b, "embeddings", vocab, d, TensorRole::token_embedding);
  b.repeat("layers", h.layers.out, [&] { mamba_mixer(b, "mixer", mixer); });
  b.repeat("layers", h.layers.in, [&] { fla_attention(b, "mixer", h.attention, h.window); });
  b.repeat("layers", all(n_layers), [&] {
    rms_norm(b, "mixer_norm", d);
    rms_norm(b, "mlp_norm", d);
    gated_mlp(b, "mlp", d, f);
  });
  rms_norm(b, "norm_f", d);
  return {.hidden = d, .embedding = table};
}

BackboneOutput fla_mamba2_backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2048), n_layers = c.integer("num_hidden_layers", 48), vocab = c.integer("vocab_size", 32000);
  const Expr inner = c.integer("expand", 2) * d, head = c.integer("head_dim", fixed(64), 1);
  const Expr n = c.integer("num_heads", attribute.or_else(floor_divide(inner, head)));
  const Mamba2Mixer mixer{.hidden = d,
                          .inner = inner,
                          .heads = n,
                          .groups = c.integer("n_groups", 1),
                          .state = c.integer("state_size", 128),
                          .kernel = c.integer("conv_kernel", 4),
                          .conv_bias = c.flag("use_conv_bias", true),
                          .projection_bias = c.flag("use_bias", false),
                          .norm = c.flag("rmsnorm", true)};
  require_equal(n * head, inner);
  if (c.flag("D_has_hdim", false))
    c.refuse(ErrorCode::unsupported, "D_has_hdim", "must be false: a separate D per channel is not counted.");
  const Tensor table = embedding(b, "embeddings", vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(n_layers), [&] {
    rms_norm(b, "norm", d);
    mamba2_mixer(b, "mixer", mixer);
  });
  rms_norm(b, "norm_f", d);
  return {.hidden = d, .embedding = table};
}

// This key distinguishes flash-linear-attention's mamba2 from transformers', which has different defaults. flash-linear-attention's mamba
// is counted like transformers'.
constexpr Text fla_keys[] = {"fuse_cross_entropy"};

}  // namespace

extern const Family fla_mamba2{
    .model_type = "fla_mamba2",
    .summary = "Mamba-2 as implemented in flash-linear-attention.",
    .classes = {"Mamba2", heads::decoder, "backbone"},
    .backbone = fla_mamba2_backbone,
    .own_code = true,
    .format_keys = {.all = fla_keys, .one_of = fla_keys, .word = "mamba2"},
};
extern const Family nsa{
    .model_type = "nsa",
    .summary = "Native sparse attention, with three branches gated per head.",
    .classes = {"NSA", heads::decoder},
    .backbone = nsa_backbone,
    .own_code = true,
};
extern const Family samba{
    .model_type = "samba",
    .summary = "Hybrid of alternating Mamba and attention layers, each with a gated MLP.",
    .classes = {"Samba", heads::decoder, "backbone"},
    .backbone = samba_backbone,
    .own_code = true,
};
extern const Family transformer{
    .model_type = "transformer",
    .summary = "Plain decoder with grouped-query attention, as implemented in flash-linear-attention.",
    .classes = {"Transformer", heads::decoder},
    .backbone = transformer_backbone,
    .own_code = true,
};

}  // namespace param_ledger
