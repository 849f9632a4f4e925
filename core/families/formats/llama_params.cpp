// Llama from Meta's own params.json, with Meta's field and tensor names. Source: ModelArgs, FeedForward.__init__ and Transformer of
// llama/model.py, published with Llama 1, 2 and 3.

#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/params_json.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Transformer", Head::causal_lm, ""}};

/// Fields that no tensor depends on. Files quantized with quantization_args pack the same weights.
constexpr Text harmless[] = {"norm_eps", "rope_theta", "use_scaled_rope", "max_batch_size", "max_seq_len", "quantization_args"};

/// Whether the sizes are those of a model with a tied head. Meta's params.json does not say whether the head is tied, but the weight files
/// of these models contain no separate head.
bool is_tied(const MetaSizes& s, Expr f, Expr vocab) {
  // Width, layers, query heads and key-value heads of Llama 3.2 1B and 3B.
  constexpr Count known[][4] = {{2048, 16, 32, 8}, {3072, 28, 24, 8}};
  for (const auto& [d, n_layers, n, n_kv] : known)
    if (equal(s.d, d) && equal(s.n_layers, n_layers) && equal(s.n, n) && equal(s.n_kv, n_kv)) return equal(f, 8192) && equal(vocab, 128256);
  return false;
}

BackboneOutput backbone(Config c, Builder& b) {
  const MetaSizes s = meta_sizes(c, true);
  const Expr vocab = meta_vocabulary(c, b), f = c.integer("hidden_dim", meta_inner_width(c, 4 * s.d));
  const bool tied = c.derived_flag("tied_embeddings", is_tied(s, f, vocab));
  refuse_unknown_keys(c, harmless);
  const Tensor table = embedding(b, "tok_embeddings", vocab, s.d, TensorRole::token_embedding);
  b.repeat("layers", all(s.n_layers), [&] {
    attention(b, "attention",
              {.hidden = s.d, .heads = s.n, .kv_heads = s.n_kv, .head_dim = s.h, .q = "wq", .k = "wk", .v = "wv", .o = "wo"});
    gated_mlp(b, "feed_forward", s.d, f, false, {.gate = "w1", .up = "w3", .down = "w2"});
    rms_norm(b, "attention_norm", s.d);
    rms_norm(b, "ffn_norm", s.d);
  });
  rms_norm(b, "norm", s.d);
  b.beside(Kind::possible, "A constant in the files of Llama 1 and 2: the RoPE frequencies.",
           [&] { b.part(Part::attention, [&] { b.parameter("rope.freqs", {floor_divide(s.h, c.literal(2))}); }); });
  return {.hidden = s.d, .embedding = table, .tie_by_default = tied, .language_model = "output"};
}

/// Records the head. Adds a warning if it is assumed to be tied because the file does not say.
void head(Config c, Builder& b, const BackboneOutput& m) {
  params_json_head(c, b, m);
  if (!m.tie_by_default || c.has("tied_embeddings")) return;
  Count sum = 0;
  for (const Row& row : b.rows())
    if (row.kind == Kind::parameter) sum = add(sum, row.total.peek());
  b.warn(
      "tied_embeddings",
      concat({"The file does not say whether the head is tied to the embedding table. It is in Llama 3.2 1B and 3B, of these dimensions: ",
              grouped_digits(sum), " parameters. With a separate head it would be ",
              grouped_digits(add(sum, b.row(m.embedding).total.peek())), ". Set tied_embeddings."}));
}

}  // namespace

extern const Family llama_params{.model_type = "llama_params",
                                 .summary = "Llama, from Meta's params.json; the feed-forward dimension is derived step by step.",
                                 .classes = {.listed = classes},
                                 .backbone = backbone,
                                 .head = head,
                                 .own_code = true,
                                 .format_keys = {.all = params_json_keys, .fallback = true}};

}  // namespace param_ledger
