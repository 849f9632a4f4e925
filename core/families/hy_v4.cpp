// Hunyuan 4: like GLM-5, with an output gate and sinks in latent attention, and with hyper-connections instead of a single residual
// stream. Source: transformers, models/hy_v4.

#include "core/builder/row_names.hpp"
#include "core/nn/text/hyper_connection.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}};
constexpr std::string_view kinds_of_indexers[] = {"full", "shared"};
constexpr GatedNames names{.gate = "linear_gate"};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2816, 6912, 34, 120832, 32});
  const LatentAttention latent = latent_attention_fields(c, s.d, s.n, {.nope_dim = 192, .value_dim = 256, .compressed = true});
  Indexer index{c.integer("index_n_heads", 16), c.integer("index_head_dim", 128)};
  const auto kinds = layer_kinds(c, "indexer_types", s.n_layers, kinds_of_indexers,
                                 [](std::uint64_t i) { return i == 0 || (i - 1) % 4 == 0 ? "full" : "shared"; });
  const IndexSet indexed = layers_of(c, kinds, "full", s.n_layers, "num_indexers", "L_i", "Layers with their own indexer.");
  index.reused = size_of(indexed.runs.span()) < s.n_layers.peek();
  const Mixture m = mixture_fields(
      c, s.d, {.count = 256, .active = 8, .inner = 768, .shared = 1},
      {.layout = ExpertLayout::stacked, .gate_kind = Gate::clamped, .correction = RouterBias::buffer, .shared_names = names});
  const Split layers = listed_sparse_layers(c, s.n_layers, c.literal(1));
  const Expr copies = c.integer("hc_mult", 4);

  // When transformers saves the bare model, it puts these tensors in another module.
  const bool bare = b.architecture().head == Head::none;
  hyper_connection(b, bare ? "hc_head.hc_pre.hc_head_" : "hc_pre.hc_head.hc_head_", s.d, copies, copies, 1);
  return sparse_decoder(b, {s, {.layers = layers, .mixture = m, .dense = s.f, .dense_names = names}}, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      latent_attention(b, "self_attn", latent);
      b.scope(Part::attention, "self_attn", [&] {
        linear(b, "linear_gate", s.d, s.n * latent.value_dim, false, TensorRole::attention_gate);
        b.parameter("learnable_sink_param", {s.n});
      });
      for (const Text block : {"hc_pre.hc_attn_layer.hc_", "hc_pre.hc_mlp_layer.hc_"})
        hyper_connection(b, block, s.d, copies, 2 * copies, 2);
    });
    b.repeat("layers", indexed, [&] { indexer(b, "self_attn.indexer", latent, index); });
  });
}

}  // namespace

extern const Family hy_v4{
    .model_type = "hy_v4",
    .summary = "Gated sparse latent attention (MLA) with sinks, hyper-connections; mixture of experts after a dense layer.",
    .classes = {"HYV4", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
