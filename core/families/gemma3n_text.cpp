// Gemma 3n, text: as Gemma 3, with an embedding per layer, alternating updates of several residual streams (AltUp), a
// low-rank residual (LAuReL), and last layers that reuse the keys and values of earlier ones.
// Source: transformers, models/gemma3n.

#include <algorithm>

#include "core/decoders.hpp"
#include "core/families.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"Gemma3nForCausalLM", Head::causal_lm, "model"},
    {"Gemma3nTextModel", Head::none, ""},
};

/// Layers with keys and values of their own: all but the last num_kv_shared_layers, which take over those of the last
/// earlier layer of their kind, so that each kind must occur before.
constexpr std::string_view kinds_of_layers[] = {"sliding_attention", "full_attention"};

Expr layers_with_keys(Config c, Expr n_layers) {
  const Expr n_shared = c.integer("num_kv_shared_layers", 15);
  const std::optional<std::vector<std::string_view>> given = c.words("layer_types", kinds_of_layers);
  if (given) c.require_length("layer_types", given->size(), n_layers);
  if (n_layers.value() == 0) return n_layers;
  if (n_shared.value() > n_layers.value()) c.refuse(ErrorCode::out_of_range, "num_kv_shared_layers", "must not exceed num_hidden_layers.");
  const Expr n_own = n_layers - n_shared;
  // By default every fifth layer attends to everything.
  const auto occurs = [&](std::string_view kind, Count first_layers) {
    if (given)
      return std::find(given->begin(), given->begin() + static_cast<std::ptrdiff_t>(first_layers), kind) !=
             given->begin() + static_cast<std::ptrdiff_t>(first_layers);
    return first_layers >= (kind == "full_attention" ? 5U : 1U);
  };
  for (const std::string_view kind : kinds_of_layers)
    if (n_shared.value() > 0 && occurs(kind, n_layers.value()) && !occurs(kind, n_own.value()))
      c.refuse(ErrorCode::inconsistent, "num_kv_shared_layers",
               concat({"leaves no ", kind, " layer before those that share its keys and values."}));
  return n_own;
}

/// intermediate_size is one width or a list with one per layer.
void feed_forward_layers(Config c, Builder& b, Expr d, Expr n_layers) {
  if (!c.peek("intermediate_size").is(Json::Type::list)) {
    const Expr f = c.integer("intermediate_size", 16384);
    return b.repeat("layers", all(n_layers), [&] { gated_mlp(b, "mlp", d, f); });
  }
  const std::vector<std::int64_t> widths = c.integers("intermediate_size").value();
  c.require_length("intermediate_size", widths.size(), n_layers);
  std::vector<std::int64_t> distinct = widths;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const std::int64_t width : distinct) {
    if (width < 0) c.refuse(ErrorCode::out_of_range, "intermediate_size", "must hold no negative width.");
    std::vector<std::uint64_t> layers;
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (widths[i] == width) layers.push_back(i);
    const bool uniform = distinct.size() == 1;
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

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2048, 1), n_layers = c.integer("num_hidden_layers", 35);
  const Expr vocab = c.integer("vocab_size", 262400), vocab_per_layer = c.integer("vocab_size_per_layer_input", 262144);
  const Expr d_per_layer = c.integer("hidden_size_per_layer_input", 256);
  const Expr n = c.integer("num_attention_heads", 8, 1), n_kv = c.integer("num_key_value_heads", 2), h = c.integer("head_dim", 256);
  const bool bias = c.flag("attention_bias", false);
  c.require_length_of("activation_sparsity_pattern", n_layers);
  const Expr n_inputs = c.integer("altup_num_inputs", 4), rank = c.integer("laurel_rank", 64), n_own = layers_with_keys(c, n_layers);
  require_multiple(d, n);

  Backbone out = decoder(b, vocab, d, [&] {
    embedding(b, "embed_tokens_per_layer", vocab_per_layer, n_layers * d_per_layer);
    b.part(Part::adapter, [&] {
      linear(b, "per_layer_model_projection", d, n_layers * d_per_layer);
      rms_norm(b, "per_layer_projection_norm", d_per_layer);
      const IndexSet streams = between(c.literal(0), n_inputs.value() > 0 ? n_inputs - 1 : n_inputs);
      b.repeat("altup_projections", streams, [&] { b.parameter("weight", {d, d}, Role::matrix); });
      b.repeat("altup_unembed_projections", streams, [&] { b.parameter("weight", {d, d}, Role::matrix); });
    });
    b.repeat("layers", all(n_layers), [&] {
      require_positive(n_kv);
      rms_norm(b, "input_layernorm", d);
      alternating_updates(b, d, n_inputs);
      low_rank_residual(b, d, rank);
      b.scope(Part::attention, "self_attn", [&] {
        linear(b, "q_proj", d, n * h, bias);
        rms_norm(b, "q_norm", h);
        linear(b, "o_proj", n * h, d, bias);
      });
    });
    b.repeat("layers", all(n_own), [&] {
      b.scope(Part::attention, "self_attn", [&] {
        linear(b, "k_proj", d, n_kv * h, bias);
        rms_norm(b, "k_norm", h);
        linear(b, "v_proj", d, n_kv * h, bias);
      });
    });
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "post_attention_layernorm", d);
      rms_norm(b, "pre_feedforward_layernorm", d);
    });
    feed_forward_layers(c, b, d, n_layers);
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "post_feedforward_layernorm", d);
      b.part(Part::adapter, [&] {
        linear(b, "per_layer_input_gate", d, d_per_layer);
        linear(b, "per_layer_projection", d_per_layer, d);
      });
      rms_norm(b, "post_per_layer_input_norm", d);
    });
  });
  out.tie_by_default = true;
  return out;
}

}  // namespace

const Family gemma3n_text{"gemma3n_text",
                          "As Gemma 3, with per-layer embeddings, several residual streams and shared keys and values.",
                          {.listed = classes},
                          {},
                          backbone};

}  // namespace param_ledger
