// Gemma 3n, text: like Gemma 3, with per-layer embeddings, alternating updates of several residual streams (AltUp), and a low-rank residual
// (LAuReL). By default, the last 15 layers reuse the keys and values of earlier ones. Source: transformers, models/gemma3n.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/gemma.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"Gemma3nForCausalLM", Head::causal_lm, "model"},
    {"Gemma3nTextModel", Head::none, ""},
};

constexpr std::string_view kinds_of_layers[] = {"sliding_attention", "full_attention"};

/// Records the feed-forward blocks. intermediate_size is one width for all layers, or a list with a width per layer.
void feed_forward_layers(Config c, Builder& b, Expr d, Expr n_layers) {
  if (!c.peek("intermediate_size").is(Json::Type::list)) {
    const Expr f = c.integer("intermediate_size", 16384);
    return b.repeat("layers", all(n_layers), [&] { gated_mlp(b, "mlp", d, f); });
  }
  const std::vector<std::int64_t> widths = c.integers("intermediate_size").value();
  c.require_length("intermediate_size", widths.size(), n_layers);
  const std::vector<AlikeLayers> groups = alike_layers(n_layers, widths);
  const bool uniform = groups.size() == 1;
  for (const auto& [width, layers] : groups) {
    if (width < 0) c.refuse(ErrorCode::out_of_range, "intermediate_size", "must not contain a negative width.");
    const std::string index = digits(layers.front());
    const Expr f =
        c.count(uniform ? "intermediate_size" : concat({"intermediate_size[", index, "]"}), uniform ? "f" : concat({"f_", index}),
                "Inner width of the feed-forward block of these layers.", static_cast<std::uint64_t>(width));
    const Expr count =
        uniform ? n_layers : c.count(concat({"layers as ", index}), concat({"L_", index}), "Layers of this width.", layers.size());
    b.repeat("layers", listed(layers, count), [&] { gated_mlp(b, "mlp", d, f); });
  }
}

void alternating_updates(Builder& b, Expr d, Expr n_inputs) {
  b.scope(Part::adapter, "altup", [&] {
    b.parameter("correct_output_scale", {d});
    linear(b, "correction_coefs", n_inputs, n_inputs);
    linear(b, "prediction_coefs", n_inputs, n_inputs * n_inputs);
    linear(b, "modality_router", d, n_inputs);
    rms_norm(b, "router_norm", d);
  });
}

void low_rank_residual(Builder& b, Expr d, Expr rank) {
  b.scope(Part::adapter, "laurel", [&] {
    linear(b, "linear_left", d, rank);
    linear(b, "linear_right", rank, d);
    rms_norm(b, "post_laurel_norm", d);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2048, 1), n_layers = c.integer("num_hidden_layers", 35);
  const Expr vocab = c.integer("vocab_size", 262400), vocab_per_layer = c.integer("vocab_size_per_layer_input", 262144);
  const LayerInput input{
      .hidden = d, .n_layers = n_layers, .vocabulary = vocab_per_layer, .width = c.integer("hidden_size_per_layer_input", 256)};
  const Expr n = c.integer("num_attention_heads", 8, 1), n_kv = c.integer("num_key_value_heads", 2), h = c.integer("head_dim", 256);
  const bool bias = c.flag("attention_bias", false);
  const Attention attention{.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias};
  c.require_length_of("activation_sparsity_pattern", n_layers);
  const Expr n_inputs = c.integer("altup_num_inputs", 4), rank = c.integer("laurel_rank", 64);
  const auto kinds = layer_kinds(c, "layer_types", n_layers, kinds_of_layers,
                                 [](std::uint64_t i) { return (i + 1) % 5 == 0 ? "full_attention" : "sliding_attention"; });
  const Expr n_own = layers_with_keys(c, n_layers, 15, kinds);
  require_multiple(d, n);

  BackboneOutput out = decoder(b, vocab, d, [&] {
    layer_inputs(b, input);
    b.part(Part::adapter, [&] {
      const IndexSet streams = between(c.literal(0), n_inputs.decide() > 0 ? n_inputs - 1 : n_inputs);
      b.repeat("altup_projections", streams, [&] { b.parameter("weight", {d, d}, StorageKind::matrix); });
      b.repeat("altup_unembed_projections", streams, [&] { b.parameter("weight", {d, d}, StorageKind::matrix); });
    });
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      alternating_updates(b, d, n_inputs);
      low_rank_residual(b, d, rank);
      attention_queries(b, "self_attn", attention);
    });
    b.repeat("layers", all(n_own), [&] { attention_keys(b, "self_attn", attention); });
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "post_attention_layernorm", d);
      rms_norm(b, "pre_feedforward_layernorm", d);
    });
    feed_forward_layers(c, b, d, n_layers);
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "post_feedforward_layernorm", d);
      layer_input(b, input);
    });
  });
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family gemma3n_text{
    .model_type = "gemma3n_text",
    .summary = "Like Gemma 3, with per-layer embeddings, AltUp, LAuReL and shared KV layers.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .cache = caches::every(512, 5),
    .uncomputed = unmatched,
};

}  // namespace param_ledger
