// OpenMoE: like Llama, but in every moe_layer_interval-th layer a mixture of experts precedes the dense block. Gate projections are twice
// as wide as up projections, because SwiGLU is applied to the gate's output alone and halves its width. Configurations have no model type,
// or Llama's.
// Source: modeling_openmoe.py and the mixture of experts of hpcaitech/ColossalAI.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 11008, 32, 32000, 32});
  const Attention a = attention_fields(c, s, {}, required(128), {.even_share = false});
  const Expr count = c.integer("num_experts", required(32)), every = c.integer("moe_layer_interval", required(6), 1);
  const Expr active = c.integer("topk", 2);
  static constexpr std::string_view activations[] = {"swiglu"};
  static_cast<void>(c.text("hidden_act", "swiglu", activations));
  if (!c.flag("gated", true)) c.refuse(ErrorCode::unsupported, "gated", "must be true: OpenMoE's experts have gates.");
  const Split layers = split(c, s.n_layers, "num_sparse_layers", "L_s", "Layers with a mixture of experts.",
                             [&](std::size_t i) { return (i + 1) % every.decide() == 0; });
  const auto dense = [&](Text name) {
    b.scope(Part::feed_forward, name, [&] {
      linear(b, "gate_proj", s.d, 2 * s.f, false, TensorRole::gate);
      linear(b, "up_proj", s.d, s.f, false, TensorRole::up);
      linear(b, "down_proj", s.f, s.d, false, TensorRole::down);
    });
  };
  return decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "input_layernorm", s.d);
      attention(b, "self_attn", a);
      rms_norm(b, "post_attention_layernorm", s.d);
    });
    b.repeat("layers", layers.out, [&] { dense("mlp"); });
    b.repeat("layers", layers.in, [&] {
      require_positive(count, Refused::no_experts);
      b.part(Part::router, [&] { b.parameter("mlp.gate_weight", {count, s.d}, StorageKind::matrix); });
      b.scope(Part::feed_forward, "mlp.experts", [&] {
        const Stacked experts{count, active};
        b.expert_parameter("wi_gate", {count, s.d, 2 * s.f}, experts);
        b.expert_parameter("wi_up", {count, s.d, s.f}, experts);
        b.expert_parameter("wo", {count, s.f, s.d}, experts);
      });
      rms_norm(b, "pre_extra_mlp_layernorm", s.d);
      dense("extra_mlp");
    });
  });
}

}  // namespace

extern const Family openmoe{
    .model_type = "openmoe",
    .summary = "Like Llama, with a mixture of experts every few layers.",
    .classes = {"OpenMoe", heads::decoder},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
