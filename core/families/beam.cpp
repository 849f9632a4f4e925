// Beam: gated attention, norms before and after each block, QK-Norm, and mixtures of experts in all layers that are not dense. By default,
// the first three layers are dense.
// Source: transformers, models/beam.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {5120, 20480, 52, 151936, 48});
  const Attention a = attention_fields(c, s, fixed(8), fixed(128), {.head_norms = QkNorm::per_head, .gate = "gate_proj"});
  const Mixture m =
      mixture_fields(c, s.d, {.count = 256, .active = 8, .inner = 2560, .count_field = "num_experts"}, {.correction = RouterBias::buffer});
  require_positive(s.n_layers);
  require_multiple(s.n, a.kv_heads);
  return sparse_decoder(
      b,
      {.sizes = s,
       .feed_forward = {.layers = listed_sparse_layers(c, s.n_layers, dense_first(s.n_layers, c.literal(3))), .mixture = m, .dense = s.f},
       .norms = {"input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"}},
      [&] {
        b.repeat("layers", all(s.n_layers), [&] {
          attention(b, "self_attn", a);
          b.part(Part::attention, [&] { b.parameter("self_attn.gate_bias", {s.n}); });
        });
      });
}

/// Whether a layer has a sliding window in a configuration without layer_types.
bool slides(Config /*c*/, std::size_t layer, std::size_t n_layers) { return (layer + 1) % 6 != 0 && layer + 1 != n_layers; }

}  // namespace

extern const Family beam{
    .model_type = "beam",
    .summary = "Mixture of experts after dense layers; gated attention, QK-Norm, pre- and post-norms.",
    .classes = {"Beam", heads::decoder},
    .backbone = backbone,
    .cache = caches::listed(512, slides),
};

}  // namespace param_ledger
