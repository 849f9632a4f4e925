// Llama 4, text: like Llama, with routed experts and a shared expert in the layers that moe_layers or interleave_moe_layer_step selects.
// Source: transformers, models/llama4.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Llama4ForCausalLM", Head::causal_lm, "model"}, {"Llama4TextModel", Head::none, ""}};

/// The layers with a mixture of experts: those in moe_layers or, if it is missing, every interleave_moe_layer_step-th.
Split mixture_layers(Config c, Expr n_layers) {
  const Count step = c.integer("interleave_moe_layer_step", 1, 1).decide();
  const auto given = c.integers("moe_layers");
  if (!given && step == 1) return {all(n_layers), {}};
  const LayerList sparse(given.value_or(std::vector<std::int64_t>{}));
  return split(c, n_layers, "num_sparse_layers", "L_e", "Mixture-of-experts layers, as given by moe_layers and interleave_moe_layer_step.",
               [&](std::size_t i) { return given ? sparse.has(i) : (i + 1) % step == 0; });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {5120, 8192, 48, 202048, 40});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", 128);
  const Expr f_dense = c.integer("intermediate_size_mlp", 16384);
  const bool bias = c.flag("attention_bias", false);
  if (!c.has("layer_types") && c.peek("no_rope_layers").size() > 0) c.require_length_of("no_rope_layers", s.n_layers);
  const Mixture m = mixture_fields(
      c, s.d, {.count = 16, .active = 1, .count_field = "num_local_experts"},
      {.inner = s.f, .layout = ExpertLayout::stacked_transposed, .router = "router", .shared = s.f, .shared_name = "shared_expert"});
  return sparse_decoder(b, {s, {.layers = mixture_layers(c, s.n_layers), .mixture = m, .dense = f_dense, .name = "feed_forward"}},
                        Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias});
}

/// Whether a layer has chunked attention in a configuration without layer_types: layers with RoPE have it.
bool slides(Config c, std::size_t layer, std::size_t /*n_layers*/) {
  const Json list = c.peek("no_rope_layers");
  if (list.size() > 0) return list[layer].is(Json::Type::integer) ? list[layer].magnitude() != 0 : is_true(list[layer]);
  return (layer + 1) % std::max<Count>(1, peeked(c, "no_rope_layer_interval", 4)) != 0;
}

}  // namespace

extern const Family llama4_text{
    .model_type = "llama4_text",
    .summary = "Like Llama, with routed experts and a shared expert in all or some layers.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .cache = caches::windows({.layers = Window::Layers::listed, .size = 8192, .field = "attention_chunk_size", .slides = slides}),
    .uncomputed = "transformers computes every expert for every token; other programs do not.",
    .peft = PeftExperts::router_apart,
};

}  // namespace param_ledger
