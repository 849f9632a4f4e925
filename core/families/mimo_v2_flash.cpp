// MiMo-V2-Flash: layers with a sliding window have twice as many key-value heads, and an attention sink per head. The dimension of value
// heads is a separate field. By default, all layers except the first have a mixture of experts. Source: transformers, models/mimo_v2_flash.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}};
constexpr std::string_view kinds_of_layers[] = {"full_attention", "sliding_attention", "attention"};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 16384, 48, 152576, 64});
  const Expr n_kv = c.integer("num_key_value_heads", 4), h = c.integer("head_dim", 192), h_v = c.integer("v_head_dim", 128);
  const auto kinds = layer_kinds(c, "layer_types", s.n_layers, kinds_of_layers,
                                 [](std::uint64_t i) { return i == 0 || (i + 1) % 6 == 0 ? "full_attention" : "sliding_attention"; });
  const Split layers = split(c, s.n_layers, "num_sliding_layers", "L_w", "Layers with a sliding window.",
                             [&](std::size_t i) { return kinds[i] == "sliding_attention"; });
  const Mixture m = mixture_fields(c, s.d, {.count = 256, .active = 8, .inner = 2048}, {.correction = RouterBias::buffer});
  Attention a{.hidden = s.d,
              .heads = s.n,
              .kv_heads = n_kv,
              .head_dim = h,
              .value_dim = h_v,
              .qkv_bias = c.flag("attention_bias", false),
              .sinks_name = "attention_sink_bias"};
  const SparseFeedForward blocks{.layers = listed_sparse_layers(c, s.n_layers, c.literal(1)), .mixture = m, .dense = s.f};

  return sparse_decoder(b, {s, blocks}, [&] {
    b.repeat("layers", layers.out, [&] { attention(b, "self_attn", a); });
    a.kv_heads = 2 * n_kv;
    a.sinks = true;
    b.repeat("layers", layers.in, [&] { attention(b, "self_attn", a); });
  });
}

/// Whether a layer has a sliding window in a configuration without layer_types.
bool slides(Config /*c*/, std::size_t layer, std::size_t /*n_layers*/) { return layer > 0 && (layer + 1) % 6 != 0; }

/// The number of tokens that the cache keeps in layers with a sliding window. The field sliding_window_size does not count the current
/// token, so its value is smaller by one. It takes precedence over sliding_window.
Expr kept_window(Config c, Expr window) {
  return c.peek("sliding_window_size").is(Json::Type::integer) ? c.integer("sliding_window_size", 128) + 1 : window;
}

}  // namespace

extern const Family mimo_v2_flash{
    .model_type = "mimo_v2_flash",
    .summary = "Full and sliding-window attention of different sizes, with sinks; mixture of experts after the first layer.",
    .classes = {"MiMoV2Flash", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::windows({.layers = Window::Layers::listed, .size = 129, .slides = slides, .kept = kept_window}),
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
