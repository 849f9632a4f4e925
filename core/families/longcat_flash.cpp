// LongCat-Flash: each layer has two blocks of latent attention, two dense feed-forward blocks, and one mixture of experts. Additional
// zero-computation experts return their input unchanged. Source: transformers, models/longcat_flash.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"},
                             {"num_experts_per_tok", "moe_topk"},
                             {"intermediate_size", "ffn_hidden_size"},
                             {"moe_intermediate_size", "expert_ffn_hidden_size"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 6144), f = c.integer("ffn_hidden_size", 12288), n_layers = c.integer("num_layers", 28);
  const Expr vocab = c.integer("vocab_size", 131072), n = c.integer("num_attention_heads", 64, 1);
  LatentAttention latent = latent_attention_fields(c, d, n, {.compressed = true});
  const Mixture m = mixture_fields(
      c, d, {.count = 512, .active = 12, .inner = 2048, .active_field = "moe_topk", .inner_field = "expert_ffn_hidden_size"});
  const Expr n_zero = c.optional_integer("zero_expert_num", 256).value_or(c.literal(0));
  const bool router_bias = c.flag("router_bias", false, Null::allowed);
  latent.query_dim = c.integer("qk_head_dim", latent.nope_dim + latent.rope_dim);
  // num_hidden_layers counts attention blocks. Each layer has two, so transformers halves the number.
  if (c.has("num_hidden_layers")) require_equal(c.integer("num_hidden_layers", 2 * n_layers), 2 * n_layers);
  if (!is_zero(n_zero))
    b.warn("zero_expert_num",
           "transformers also builds gate and up projections for zero-computation experts, so they are counted. Published files "
           "do not contain them.");

  const IndexSet pair = all(c.literal(2));
  return decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      b.repeat("input_layernorm", pair, [&] { rms_norm(b, "", d); });
      b.repeat("self_attn", pair, [&] { latent_attention(b, "", latent); });
      b.repeat("post_attention_layernorm", pair, [&] { rms_norm(b, "", d); });
      b.repeat("mlps", pair, [&] { gated_mlp(b, "", d, f); });
      require_positive(m.count, Refused::no_experts);
      b.scope(Part::router, "mlp.router", [&] {
        linear(b, "classifier", d, m.count + n_zero, router_bias, TensorRole::router);
        b.buffer("e_score_correction_bias", {m.count + n_zero});
      });
      b.scope(Part::feed_forward, "mlp", [&] {
        b.repeat_experts("experts", m.count + n_zero, m.active, [&] {
          linear(b, "gate_proj", d, m.inner, false, TensorRole::gate);
          linear(b, "up_proj", d, m.inner, false, TensorRole::up);
        });
        b.repeat_experts("experts", m.count, m.active, [&] { linear(b, "down_proj", m.inner, d, false, TensorRole::down); });
      });
    });
  });
}

}  // namespace

extern const Family longcat_flash{
    .model_type = "longcat_flash",
    .summary = "MLA and a dense MLP twice in each layer, with a parallel mixture of experts.",
    .classes = {"LongcatFlash", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
