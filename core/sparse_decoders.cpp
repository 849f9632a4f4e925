#include "core/sparse_decoders.hpp"

namespace param_ledger {

Mixture mixture_fields(Config c, Expr hidden, const MixtureFields& fields, Mixture m) {
  m.hidden = hidden;
  m.count = c.integer(fields.count_field, fields.count);
  m.active = fields.active ? c.integer(fields.active_field, *fields.active) : c.optional_integer(fields.active_field).value_or(m.count);
  if (fields.inner > 0) m.inner = c.integer(fields.inner_field, fields.inner);
  if (fields.shared) m.shared = m.inner * c.integer(fields.shared_field, *fields.shared);
  return m;
}

Split dense_first(Config c, Expr n_layers, std::uint64_t fallback, std::string_view field) {
  const Expr n_dense = c.integer(field, fallback);
  return {between(n_dense, n_layers), first(n_dense, n_layers)};
}

Split listed_sparse_layers(Config c, Expr n_layers, Expr n_dense) {
  static constexpr std::string_view kinds[] = {"sparse", "dense"};
  const auto given = c.words("mlp_layer_types", kinds);
  if (!given) return {between(n_dense, n_layers), first(n_dense, n_layers)};
  c.require_length("mlp_layer_types", given->size(), n_layers);
  return split(c, n_layers, "num_sparse_layers", "L_e", "Layers with a mixture of experts, by mlp_layer_types.",
               [&](std::uint64_t i) { return (*given)[i] == "sparse"; });
}

Split stepped_sparse_layers(Config c, Expr n_layers, Expr n_dense) {
  std::vector<std::int64_t> flags;
  Count step = 1;
  if (c.peek("moe_layer_freq").is(Json::Type::list)) {
    flags = c.integers("moe_layer_freq").value();
    c.require_length("moe_layer_freq", flags.size(), n_layers);
  } else {
    step = c.attribute("moe_layer_freq", c.literal(1), 1).value();
  }
  const Json named = c.peek("mlp_layer_types");
  if ((flags.empty() && step == 1) || (named && !named.is_null())) return listed_sparse_layers(c, n_layers, n_dense);
  return split(c, n_layers, "num_sparse_layers", "L_e", "Layers with a mixture of experts, by moe_layer_freq.", [&](std::uint64_t i) {
    return i >= n_dense.value() && (flags.empty() ? i % step == 0 : flags[static_cast<std::size_t>(i)] != 0);
  });
}

void sparse_feed_forward(Builder& b, const SparseFeedForward& m) {
  const Expr d = m.mixture.hidden;
  b.repeat("layers", m.layers.out, [&] {
    if (m.dense_fused)
      fused_gated_mlp(b, m.name, d, m.dense, m.dense_bias);
    else
      gated_mlp(b, m.name, d, m.dense, m.dense_bias, m.dense_names);
  });
  b.repeat("layers", m.layers.in, [&] { mixture(b, m.name, m.mixture); });
}

Backbone sparse_decoder(Builder& b, const SparseDecoder& m, const Attention& a) {
  return sparse_decoder(b, m, [&] { b.repeat("layers", all(m.sizes.n_layers), [&] { attention(b, "self_attn", a); }); });
}

Backbone sparse_decoder(Builder& b, const SparseDecoder& m, const LatentAttention& a) {
  return sparse_decoder(b, m, [&] { b.repeat("layers", all(m.sizes.n_layers), [&] { latent_attention(b, "self_attn", a); }); });
}

}  // namespace param_ledger
