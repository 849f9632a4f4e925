// Falcon: a fused query, key and value projection in three layouts: multi-query (7B), grouped-query (40B, 180B; the "new decoder
// architecture", by default with two parallel norms) and multi-head (RW). Source: transformers, models/falcon. The first published
// configurations have the model types RefinedWeb and RefinedWebModel and fields such as n_head and n_layer. RefinedWeb's published code
// always uses the grouped-query layout, RefinedWebModel's never does.

#include "core/builder/inference.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"n_embed", "hidden_size"}};

constexpr Alias refined_web_aliases[] = {
    {"n_embed", "hidden_size"},
    {"n_layer", "num_hidden_layers"},
    {"n_head", "num_attention_heads"},
    {"n_head_kv", "num_kv_heads"},
};

/// The settings that differ between the three layouts.
struct Layout {
  bool grouped;      ///< grouped-query attention with num_kv_heads key-value heads
  bool multi_query;  ///< a single key-value head; has no effect if `grouped`
  bool parallel;     ///< whether attention and feed-forward run in parallel
  bool two_norms;    ///< whether there are the norms ln_attn and ln_mlp instead of input_layernorm
};

BackboneOutput decoder_of(Config c, Builder& b, const Layout& layout) {
  const Expr d = c.integer("hidden_size", 4544), n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 65024);
  const Expr n = c.integer("num_attention_heads", 71, 1),
             h = c.count("head_dim", "h", "Width of one head.", floor_divide(d, n).peek(), floor_divide(d, n));
  const Expr f = c.integer("ffn_hidden_size", 4 * d);
  const Expr n_kv = layout.grouped ? c.integer("num_kv_heads", n) : layout.multi_query ? c.literal(1) : n;
  const Expr qkv = layout.grouped ? (2 * n_kv + n) * h : layout.multi_query ? d + 2 * h : 3 * d;
  const bool bias = c.flag("bias", false, Null::allowed);
  require_positive(d);

  const Tensor table = embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
  b.repeat("h", all(n_layers), [&] {
    require_multiple(d, n);
    layer_norm(b, layout.two_norms ? "ln_attn" : "input_layernorm", d);
    b.scope(Part::attention, "self_attention", [&] {
      linear(b, "query_key_value", d, qkv, bias, TensorRole::query_key_value);
      linear(b, "dense", d, d, bias, TensorRole::output);
      // transformers caches grouped keys and values after repeating them for all query heads.
      record_attention(b, {.heads = n, .kv_heads = n_kv, .key_dim = h, .cached = layout.grouped ? n : n_kv});
    });
    if (layout.two_norms) layer_norm(b, "ln_mlp", d);
    if (!layout.parallel) layer_norm(b, "post_attention_layernorm", d);
    mlp(b, "mlp", d, f, bias, "dense_h_to_4h", "dense_4h_to_h");
  });
  layer_norm(b, "ln_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .token_classifier = "classifier"};
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool grouped = c.flag("new_decoder_architecture", false, Null::allowed), multi_query = c.flag("multi_query", true, Null::allowed);
  const bool parallel = c.flag("parallel_attn", true, Null::allowed);
  const std::optional<Expr> norms = c.optional_integer("num_ln_in_parallel_attn");
  return decoder_of(c, b,
                    {.grouped = grouped,
                     .multi_query = multi_query,
                     .parallel = parallel,
                     .two_norms = parallel && (norms ? norms->decide() == 2 : grouped)});
}

BackboneOutput refined_web_backbone(Config c, Builder& b) {
  c.consume("auto_map");  // auto_map names the published code, and this function counts that code
  const bool parallel = c.flag("parallel_attn", true, Null::allowed);
  return decoder_of(c, b, {.grouped = true, .multi_query = false, .parallel = parallel, .two_norms = true});
}

BackboneOutput refined_web_model_backbone(Config c, Builder& b) {
  c.consume("auto_map");
  const bool multi_query = c.flag("multi_query", true, Null::allowed), parallel = c.flag("parallel_attn", true, Null::allowed);
  return decoder_of(c, b, {.grouped = false, .multi_query = multi_query, .parallel = parallel, .two_norms = false});
}

}  // namespace

extern const Family falcon{
    .model_type = "falcon",
    .summary = "Fused QKV projection with multi-query, grouped-query or multi-head attention; tied embeddings.",
    .classes = {"Falcon", heads::all, "transformer"},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
    .gguf = Gguf::own_rules,
};
extern const Family refined_web{
    .model_type = "RefinedWeb",
    .summary = "Falcon 40B with its original code.",
    .classes = {"RW", heads::decoder, "transformer"},
    .aliases = refined_web_aliases,
    .backbone = refined_web_backbone,
};
extern const Family refined_web_model{
    .model_type = "RefinedWebModel",
    .summary = "Falcon 7B and Falcon-RW with their original code.",
    .classes = {"RW", heads::decoder, "transformer"},
    .aliases = refined_web_aliases,
    .backbone = refined_web_model_backbone,
};

}  // namespace param_ledger
