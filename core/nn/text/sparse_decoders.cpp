#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

Mixture mixture_fields(Config c, Expr hidden, const MixtureFields& fields, Mixture m) {
  m.hidden = hidden;
  const Text active = fields.active_field.value_or("num_experts_per_tok");
  m.count = c.integer(fields.count_field.value_or("n_routed_experts"), fields.count);
  const bool left_open = !fields.active || c.peek(active).is_null();
  m.active = left_open ? c.optional_integer(active).value_or(Expr{}) : c.integer(active, *fields.active);
  if (fields.inner > 0) m.inner = c.integer(fields.inner_field.value_or("moe_intermediate_size"), fields.inner);
  if (fields.shared) {
    m.shared_count = c.integer(fields.shared_field.value_or("n_shared_experts"), *fields.shared);
    m.shared = m.inner * m.shared_count;
  }
  return m;
}

Split stepped_sparse_layers(Config c, Expr n_layers, Expr n_dense) {
  std::vector<std::int64_t> flags;
  Count step = 1;
  if (c.peek("moe_layer_freq").is(Json::Type::list)) {
    flags = c.integers("moe_layer_freq").value();
    c.require_length("moe_layer_freq", flags.size(), n_layers);
  } else {
    step = c.integer("moe_layer_freq", attribute.or_else(c.literal(1)), 1).decide();
  }
  if (flags.empty() && step == 1) return dense_first(n_layers, n_dense);
  return split(c, n_layers, "num_stepped_layers", "L_e", "Mixture-of-experts layers, as given by moe_layer_freq.", [&](std::size_t i) {
    return i >= n_dense.decide() && (flags.empty() ? i % step == 0 : flags[static_cast<std::size_t>(i)] != 0);
  });
}

Split sparse_layers_of(Config c, Expr n_layers, const std::vector<std::string_view>& kinds) {
  return split(c, n_layers, "num_sparse_layers", "L_e", "Mixture-of-experts layers, as given by mlp_layer_types.",
               [&](std::size_t i) { return kinds[i] == "sparse"; });
}

Split listed_sparse_layers(Config c, Expr n_layers, const Split& otherwise) {
  static constexpr std::string_view kinds[] = {"sparse", "dense"};
  const auto given = c.words("mlp_layer_types", kinds);
  if (!given) return otherwise;
  c.require_length("mlp_layer_types", given->size(), n_layers);
  return sparse_layers_of(c, n_layers, *given);
}

void sparse_feed_forward(Builder& b, const SparseFeedForward& m) {
  const Expr d = m.mixture.hidden;
  const Text name = m.name.value_or("mlp");
  b.repeat("layers", m.layers.out, [&] {
    if (m.dense_fused)
      fused_gated_mlp(b, name, d, m.dense, m.dense_bias);
    else
      gated_mlp(b, name, d, m.dense, m.dense_bias, m.dense_names);
  });
  b.repeat("layers", m.layers.in, [&] { mixture(b, name, m.mixture); });
}

namespace {

constexpr std::array<Text, 4> usual_norms = {"input_layernorm", "post_attention_layernorm"};

const std::array<Text, 4>& norms_of(const SparseDecoder& m) { return m.norms.front().empty() ? usual_norms : m.norms; }

}  // namespace

Tensor sparse_decoder_before(Builder& b, const SparseDecoder& m) {
  const Tensor table = embedding(b, m.table.value_or("embed_tokens"), m.sizes.vocab, m.sizes.d, TensorRole::token_embedding);
  b.repeat("layers", all(m.sizes.n_layers), [&] { norm(b, m.norm, norms_of(m).front(), m.sizes.d); });
  return table;
}

BackboneOutput sparse_decoder_after(Builder& b, const SparseDecoder& m, Tensor table) {
  const Expr d = m.sizes.d;
  const std::array<Text, 4>& norms = norms_of(m);
  b.repeat("layers", all(m.sizes.n_layers), [&] {
    for (std::size_t i = 1; i < norms.size() && !norms[i].empty(); ++i) norm(b, m.norm, norms[i], d);
  });
  sparse_feed_forward(b, m.feed_forward);
  norm(b, m.norm, "norm", d);
  return {.hidden = d, .embedding = table};
}

BackboneOutput sparse_decoder(Builder& b, const SparseDecoder& m, const Attention& a) {
  return sparse_decoder(b, m, [&] { b.repeat("layers", all(m.sizes.n_layers), [&] { attention(b, "self_attn", a); }); });
}

BackboneOutput sparse_decoder(Builder& b, const SparseDecoder& m, const LatentAttention& a) {
  return sparse_decoder(b, m, [&] { b.repeat("layers", all(m.sizes.n_layers), [&] { latent_attention(b, "self_attn", a); }); });
}

}  // namespace param_ledger
