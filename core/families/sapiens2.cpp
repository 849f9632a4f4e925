// Sapiens 2: as DINOv3's vision transformer, with RMS norms, also of queries and keys, and fewer keys and values in the middle layers.
// Source: transformers, models/sapiens2.

#include "core/blocks/vit.hpp"
#include "core/layer_kinds.hpp"

namespace param_ledger {

namespace {

/// The heads of keys and values of each layer: all in the first and the last ones, fewer between.
std::vector<std::int64_t> kv_heads(Config c, Expr n_layers, Expr heads) {
  const Expr few = c.integer("num_key_value_attention_heads", 8), first = c.integer("num_first_full_attention_layers", 8),
             last = c.integer("num_last_full_attention_layers", 8);
  if (const auto given = c.integers("num_key_value_heads_per_layer")) {
    c.require_length("num_key_value_heads_per_layer", given->size(), n_layers);
    return *given;
  }
  require_listable(n_layers);
  std::vector<std::int64_t> out;
  const Count n = n_layers.value();
  for (Count i = 0; i < n; ++i)
    out.push_back(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(i < first.value() || i + last.value() >= n ? heads.value() : few.value())));
  return out;
}

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 1024), f = c.integer("intermediate_size", 4096), n_layers = c.integer("num_hidden_layers", 24);
  const Expr heads = c.integer("num_attention_heads", 16, 1), channels = c.integer("num_channels", 3), h = floor_divide(d, heads);
  const Sides patch = c.sides("patch_size", 16);
  const Expr registers = c.integer("num_register_tokens", 8);
  const bool query = c.flag("query_bias", true), key = c.flag("key_bias", true), value = c.flag("value_bias", true),
             out = c.flag("proj_bias", true), wide = c.flag("mlp_bias", true), gated = c.flag("use_gated_mlp", true),
             normed = c.flag("use_qk_norm", true), masked = c.flag("use_mask_token", false);
  const std::vector<std::int64_t> kv = kv_heads(c, n_layers, heads);
  require_positive(h);
  b.part(Part::embedding, [&] {
    tokens(b, "cls_token", 1, d);
    if (masked) tokens(b, "embeddings.mask_token", 1, d);
    tokens(b, "storage_tokens", registers, d);
    conv2d(b, "patch_embed.projection", channels, d, patch);
  });
  b.repeat("blocks", all(n_layers), [&] {
    rms_norm(b, "ln1", d);
    b.scope(Part::attention, "attn", [&] {
      linear(b, "wq", d, d, query, Does::query);
      linear(b, "proj", d, d, out, Does::output);
      layer_scale(b, "gamma.weight", d);
    });
    if (normed)
      for (const Text name : {"attn.q_norm", "attn.k_norm"}) rms_norm(b, name, h);
    rms_norm(b, "ln2", d);
    b.scope(Part::feed_forward, "ffn", [&] {
      linear(b, "w12", d, gated ? 2 * f : f, wide);
      linear(b, "w3", f, d, wide);
    });
  });
  for (const AlikeLayers& alike : alike_layers(n_layers, kv)) {
    if (alike.number < 1)
      c.refuse(ErrorCode::out_of_range, "num_key_value_heads_per_layer", "must hold numbers of at least 1.", Refused::no_heads);
    const std::string number = digits(static_cast<std::uint64_t>(alike.number));
    const IndexSet layers = named_layers(c, n_layers, concat({"num_layers_of_kv_heads[", number, "]"}), concat({"L_", number}),
                                         "Layers with so many heads of keys and values.", alike.layers);
    b.repeat("blocks", layers, [&] {
      b.scope(Part::attention, "attn", [&] {
        const Expr width = c.literal(static_cast<std::uint64_t>(alike.number)) * h;
        linear(b, "wk", d, width, key, Does::key);
        linear(b, "wv", d, width, value, Does::value);
      });
    });
  }
  rms_norm(b, "ln1", d);
  return {.hidden = d};
}

}  // namespace

extern const Family sapiens2{
    .model_type = "sapiens2",
    .summary = "As DINOv3, to see people, with fewer keys in the middle.",
    .classes = {"Sapiens2", heads::base | heads::backbone, ""},
    .backbone = backbone,
};

}  // namespace param_ledger
