#include "core/nn/text/gemma.hpp"

#include <algorithm>

#include "core/builder/blocks.hpp"
#include "core/builder/inference.hpp"
#include "core/config/constraints.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

Expr layers_with_keys(Config c, Expr n_layers, std::uint64_t shared, const std::vector<std::string_view>& kinds) {
  return layers_before_shared(c, n_layers, c.integer("num_kv_shared_layers", shared), kinds);
}

Expr layers_before_shared(Config c, Expr n_layers, Expr n_shared, const std::vector<std::string_view>& kinds) {
  if (n_layers.decide() == 0 || n_shared.decide() == 0) return n_layers;
  if (n_shared.decide() > n_layers.decide())
    c.refuse(ErrorCode::out_of_range, "num_kv_shared_layers", "must not exceed num_hidden_layers.", Refused::shared_layers);
  const Expr n_own = n_layers - n_shared;
  const auto first_shared = kinds.begin() + static_cast<std::ptrdiff_t>(n_own.decide());
  for (auto kind = first_shared; kind != kinds.end(); ++kind)
    if (std::find(kinds.begin(), first_shared, *kind) == first_shared)
      c.refuse(ErrorCode::inconsistent, "num_kv_shared_layers",
               concat({"leaves no ", *kind, " layer before the layers that share its keys and values."}));
  return n_own;
}

void attention_queries(Builder& b, Text name, const Attention& a) {
  require_positive(a.kv_heads);
  b.scope(Part::attention, name, [&] {
    const InBlock block(b, {.mechanism = Mechanism::attention, .heads = a.heads, .kv_heads = a.kv_heads});
    linear(b, "q_proj", a.hidden, a.heads * a.head_dim, a.qkv_bias, TensorRole::query);
    norm(b, Norm::rms, "q_norm", a.head_dim, TensorRole::query_norm);
    linear(b, "o_proj", a.heads * a.head_dim, a.hidden, a.output_bias, TensorRole::output);
    record_pair_products(b, a.heads * (2 * a.head_dim));
  });
}

void attention_keys(Builder& b, Text name, const Attention& a, bool values) {
  b.scope(Part::attention, name, [&] {
    const InBlock block(b, {.mechanism = Mechanism::attention, .heads = a.heads, .kv_heads = a.kv_heads});
    linear(b, "k_proj", a.hidden, a.kv_heads * a.head_dim, a.qkv_bias, TensorRole::key);
    norm(b, Norm::rms, "k_norm", a.head_dim, TensorRole::key_norm);
    if (values) linear(b, "v_proj", a.hidden, a.kv_heads * a.head_dim, a.qkv_bias, TensorRole::value);
    for (const Text kept : {"keys", "values"}) record_cache(b, kept, {a.kv_heads, {}, a.head_dim});
  });
}

void layer_input_projection(Builder& b, const LayerInput& m) {
  b.part(Part::adapter, [&] {
    linear(b, "per_layer_model_projection", m.hidden, m.n_layers * m.width);
    rms_norm(b, "per_layer_projection_norm", m.width);
  });
}

void layer_inputs(Builder& b, const LayerInput& m) {
  embedding(b, "embed_tokens_per_layer", m.vocabulary, m.n_layers * m.width);
  layer_input_projection(b, m);
}

void layer_input(Builder& b, const LayerInput& m) {
  b.part(Part::adapter, [&] {
    linear(b, "per_layer_input_gate", m.hidden, m.width);
    linear(b, "per_layer_projection", m.width, m.hidden);
  });
  rms_norm(b, "post_per_layer_input_norm", m.hidden);
}

}  // namespace param_ledger
