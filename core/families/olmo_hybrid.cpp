// OLMo Hybrid: pre-norm Gated DeltaNet layers and, by default in every fourth layer, OLMo 2's post-norm attention instead. Source:
// transformers, models/olmo_hybrid.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {3840, 11008, 32, 100352, 30});
  const Attention a = attention_fields(c, s, Default{}, attribute, {.head_norms = QkNorm::whole});
  const Expr key_heads = c.integer("linear_num_key_heads", s.n, 1), value_heads = c.integer("linear_num_value_heads", s.n);
  const Expr key_dim = c.integer("linear_key_head_dim", floor_divide(3 * s.d, 4 * key_heads));
  const Expr value_dim = c.integer("linear_value_head_dim", 2 * key_dim), kernel = c.integer("linear_conv_kernel_dim", 4);
  const Split layers =
      linear_layers(c, s.n_layers, [&](std::size_t i) { return i % 4 == 3 || (s.n_layers.decide() < 4 && i + 1 == s.n_layers.decide()); });
  if (layers.in.empty() || layers.out.empty()) c.refuse(ErrorCode::inconsistent, "layer_types", "must have layers of both kinds.");

  const DeltaAttention delta{.hidden = s.d,
                             .kernel = kernel,
                             .heads = value_heads,
                             .head_dim = value_dim,
                             .key_width = key_heads * key_dim,
                             .mechanism = Mechanism::gated_delta_net};
  return decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", layers.in, [&] {
      rms_norm(b, "attention_layer_norm", s.d);
      delta_attention(b, "linear_attn", delta);
      b.scope(Part::state_space, "linear_attn", [&] {
        linear(b, "a_proj", s.d, value_heads);
        b.parameter("A_log", {value_heads});
        b.parameter("dt_bias", {value_heads});
        linear(b, "g_proj", s.d, value_heads * value_dim);
      });
    });
    b.repeat("layers", layers.out, [&] {
      attention(b, "self_attn", a);
      rms_norm(b, "post_feedforward_layernorm", s.d);
    });
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "feedforward_layer_norm", s.d);
      gated_mlp(b, "mlp", s.d, s.f);
    });
  });
}

}  // namespace

extern const Family olmo_hybrid{
    .model_type = "olmo_hybrid",
    .summary = "Hybrid of Gated DeltaNet layers and, in every fourth layer, attention with norms after each block.",
    .classes = {"OlmoHybrid", heads::decoder},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
