// Llama as Meta publishes it: params.json beside the weights, whose fields and tensors have names of their own. Mistral's file of that
// name is the same, with the inner width and the head's given.
// Source: ModelArgs, FeedForward.__init__ and Transformer of llama/model.py, published with Llama 1, 2 and 3.

#include "core/blocks/attention.hpp"
#include "core/blocks/feed_forward.hpp"
#include "core/decoders.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Transformer", Head::causal_lm, ""}};

/// int(2 · 4·dim / 3), perhaps by a factor, rounded up: why 4,096 makes 11,008. Formulas show each step.
Expr inner_width(Config c, Expr d) {
  const Expr by_rule = floor_divide(2 * (4 * d), c.literal(3));
  const Expr thirds =
      c.count("two_thirds", "f_0", "Two thirds of 4 × dim: three matrices of it hold what two of 4 × dim would.", by_rule.value(), by_rule);
  // Meta's None is the same as 1; a null is what Python writes for it.
  Expr width = thirds;
  if (const Json factor = c.peek("ffn_dim_multiplier"); factor.is_null())
    c.consume("ffn_dim_multiplier");
  else
    width = c.scaled("ffn_dim_multiplier", 1, thirds, "scaled_two_thirds", "f_1");
  const Expr multiple = c.integer("multiple_of", 256, 1);
  return c.integer("hidden_dim", ceil_divide(width, multiple) * multiple);
}

/// Meta's files leave the vocabulary to the tokenizer, and say -1.
Expr vocabulary(Config c) {
  if (const Json given = c.peek("vocab_size"); !given || (given.is(Json::Type::integer) && given.negative()))
    c.refuse(ErrorCode::missing_field, "vocab_size",
             "is left to the tokenizer (Meta's params.json says -1): give the number of its tokens, 32000 for Llama 1 and 2, 128256 for "
             "Llama 3.");
  return c.required_integer("vocab_size", 32000);
}

Backbone backbone(Config c, Builder& b) {
  if (c.has("moe")) c.refuse(ErrorCode::unsupported, "moe", "makes it a mixture of experts, which is counted from its config.json.");
  const Expr d = c.integer("dim", 4096), n_layers = c.integer("n_layers", 32), vocab = vocabulary(c), n = c.integer("n_heads", 32, 1);
  const Expr n_kv = c.integer("n_kv_heads", n), h = c.integer("head_dim", floor_divide(d, n));
  const Expr f = inner_width(c, d);
  const Tensor table = embedding(b, "tok_embeddings", vocab, d);
  b.repeat("layers", all(n_layers), [&] {
    attention(b, "attention", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .q = "wq", .k = "wk", .v = "wv", .o = "wo"});
    gated_mlp(b, "feed_forward", d, f, false, {.gate = "w1", .up = "w3", .down = "w2"});
    rms_norm(b, "attention_norm", d);
    rms_norm(b, "ffn_norm", d);
  });
  rms_norm(b, "norm", d);
  b.beside(Kind::possible, "A constant that files of Llama 1 and 2 carry: the frequencies of rotary positions.",
           [&] { b.part(Part::attention, [&] { b.parameter("rope.freqs", {floor_divide(h, c.literal(2))}); }); });
  return {.hidden = d, .embedding = table, .language_model = "output"};
}

}  // namespace

extern const Family llama_params{
    .model_type = "llama_params",
    .summary = "Llama by Meta's own params.json, whose rule for the feed-forward width is shown step by step.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
