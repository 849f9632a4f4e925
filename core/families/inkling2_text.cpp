// Inkling 2, text: like Inkling, with gates, sinks and learned clipping in attention, and dynamic convolutions in layers with full
// attention. Layers form groups. The inputs of attention, except in the first layer, and of the experts are weighted sums over the results
// of earlier groups and of the current one. Learned queries determine the weights. Source: transformers, models/inkling2.

#include "core/builder/inference.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Inkling2ForCausalLM", Head::causal_lm, "model.llm"}, {"Inkling2TextModel", Head::none, ""}};

constexpr Alias aliases[] = {{"sliding_window", "sliding_window_size"},
                             {"num_local_experts", "n_routed_experts"},
                             {"sconv_kernel_size", "conv_kernel_size"},
                             {"intermediate_size", "moe_intermediate_size"}};
constexpr std::string_view kinds_of_layers[] = {"hybrid_sliding", "hybrid"};

/// Counts multiplications with the results of groups of layers. Weighted sums of these results are the inputs of attention (except in the
/// first layer), the inputs of the experts, and the model's output.
void read_blocks(Config c, Builder& b, Expr d, const std::vector<std::string_view>& kinds) {
  Inference* const to = b.inference();
  if (to == nullptr) return;
  const Count size = peeked(c, "n_layers_per_attn_res_block", 6);
  if (size == 0) {
    to->unknown = "The number of layers per block is not given.";
    return;
  }
  const auto read_after = [&](std::size_t layers) { return (layers + size - 1) / size + 1; };
  Count read = read_after(kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    read += read_after(i + 1);
    if (i > 0) read += read_after(i) * (kinds[i] == "hybrid" ? 3 : 1);
  }
  record_recurrence(b, b.pool().literal(2 * read) * d, Prompt::by_token);
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {.hidden = 4608, .layers = 48, .vocabulary = 201024, .heads = 48});
  const Expr d = s.d, width = c.integer("d_rel", 16), kernel = c.integer("conv_kernel_size", 4);
  Attention full{.hidden = d,
                 .heads = s.n,
                 .kv_heads = c.integer("num_key_value_heads", 8),
                 .head_dim = c.integer("head_dim", 128),
                 .gate = "gate_attn",
                 .q = "wq_du",
                 .k = "wk_dv",
                 .v = "wv_dv",
                 .o = "wo_ud"};
  Attention sliding = full;
  sliding.heads = c.integer("swa_num_attention_heads", 48, 1);
  sliding.kv_heads = c.integer("swa_num_key_value_heads", 8);
  sliding.head_dim = c.integer("swa_head_dim", 128);
  const Expr extent = c.integer("rel_extent", 1024), window = c.integer("sliding_window_size", 1024);
  const auto kinds = layer_kinds(c, "layer_types", s.n_layers, kinds_of_layers,
                                 [](std::uint64_t i) { return (i + 1) % 6 == 0 ? "hybrid" : "hybrid_sliding"; });
  const auto is_sliding = [&](std::size_t i) { return kinds[i] == "hybrid_sliding"; };
  const Split layers = split(c, s.n_layers, "num_sliding_layers", "L_w", "Layers with a sliding window.", is_sliding);
  Mixture m = mixture_fields(c, d, {.count = 384, .active = 8, .inner = 2304},
                             {.layout = ExpertLayout::stacked,
                              .down = "w2_weight",
                              .gate_up = "w13_weight",
                              .correction = RouterBias::buffer,
                              .correction_name = "gate.bias"});

  const auto attend = [&](const Attention& a, Expr positions) {
    attention(b, "attn", a);
    b.scope(Part::attention, "attn", [&] {
      linear(b, "wr_du", d, a.heads * width);
      linear(b, "attn_sink_proj", d, a.heads);
      b.parameter("q_l2_clip.scale", {a.heads, a.head_dim});
      b.parameter("rel_l2_clip.scale", {a.heads, width});
      b.parameter("rel_logits_proj.proj", {width, positions}, StorageKind::matrix);
      if (a.heads.decide() > 0)
        // The matrix is stored once, but every head multiplies with it.
        record_extra_macs(b, (a.heads - 1) * width * positions);
      for (const Text name : {"conv_states.0", "conv_states.1"}) record_cache(b, name, {a.kv_heads * a.head_dim, kernel}, {}, true);
    });
  };
  embedding(b, "embed", s.vocab, d, TensorRole::token_embedding);
  rms_norm(b, "embed_norm", d);
  b.repeat("layers", layers.in, [&] {
    rms_norm(b, "attn_norm", d);
    attend(sliding, window);
    b.scope(Part::attention, "attn", [&] {
      for (const Text name : {"k_sconv", "v_sconv"}) depthwise_conv1d(b, name, sliding.kv_heads * sliding.head_dim, kernel, false);
    });
  });
  b.repeat("layers", layers.out, [&] {
    for (const Text name : {"q_input_norm", "k_input_norm", "v_input_norm"}) rms_norm(b, name, d);
    attend(full, extent);
    b.scope(Part::attention, "attn", [&] {
      for (const Text name : {"k_sconv", "v_sconv"})
        b.scope(name, [&] {
          b.parameter("static_w", {kernel, full.kv_heads * full.head_dim}, StorageKind::kernel);
          b.parameter("weight_proj", {full.kv_heads * kernel, d}, StorageKind::matrix);
        });
    });
  });
  b.repeat("layers", all(s.n_layers), [&] {
    b.part(Part::attention, [&] { depthwise_conv1d(b, "attn_sconv", d, kernel, false); });
    rms_norm(b, "mlp_norm", d);
    mixture(b, "mlp", m);
    b.part(Part::feed_forward, [&] { depthwise_conv1d(b, "mlp_sconv", d, kernel, false); });
    for (const Text name : {"conv_states.2", "conv_states.3"}) record_cache(b, name, {d, kernel}, {}, true);
  });
  b.scope(Part::adapter, "attn_res", [&] {
    b.repeat("mlp_queries", all(s.n_layers), [&] { b.parameter("", {d}); });
    if (!is_zero(s.n_layers)) {
      // Attention has learned queries in all layers except the first. Full attention has three inputs, and therefore three queries.
      const Split queries = split(c, s.n_layers - 1, "num_sliding_queries", "L_q", "Layers with a sliding window, except the first.",
                                  [&](std::size_t i) { return is_sliding(i + 1); });
      b.repeat("attn_queries", queries.in, [&] { b.parameter("", {d}); });
      b.repeat("attn_queries", queries.out, [&] { b.parameter("", {c.literal(3), d}); });
    }
    b.parameter("output_query", {d});
  });
  read_blocks(c, b, d, kinds);
  rms_norm(b, "norm", d);
  // transformers never ties Inkling 2's head.
  return {.hidden = d, .vocabulary = s.vocab, .language_model = "model.llm.unembed"};
}

}  // namespace

extern const Family inkling2_text{
    .model_type = "inkling2_text",
    .summary = "Gated relative attention with sinks, full or sliding-window; mixture of experts; attention residuals.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::windows(
        {.layers = Window::Layers::every, .size = 1024, .period = 6, .ids_field = "local_layer_ids", .field = "sliding_window_size"}),
};

}  // namespace param_ledger
