// CTRL: separate query, key and value projections with biases, an ungated feed-forward block, sinusoidal positions, and a head with a bias,
// which is tied by default.
// Source: transformers, models/ctrl.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/gpt.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"CTRLLMHeadModel", Head::causal_lm, "transformer"},
    {"CTRLModel", Head::none, ""},
    {"CTRLForSequenceClassification", Head::sequence_classification, "transformer"},
};

BackboneOutput backbone(Config c, Builder& b) {
  const GptSizes s = gpt_sizes(c, {1280, 48, 16, 246534});
  const Expr d = s.d, n_layers = s.n_layers, n = s.n, vocab = s.vocab;
  const Expr f = c.integer("dff", 8192);
  const Tensor table = embedding(b, "w", vocab, d);
  b.repeat("h", all(n_layers), [&] {
    attention(b, "multi_head_attention",
              {.hidden = d,
               .heads = n,
               .even_share = false,
               .qkv_bias = true,
               .output_bias = true,
               .q = "Wq",
               .k = "Wk",
               .v = "Wv",
               .o = "dense"});
    mlp(b, "ffn", d, f, true, "0", "2");
    layer_norm(b, "layernorm1", d);
    layer_norm(b, "layernorm2", d);
  });
  layer_norm(b, "layernorm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .language_model_bias = true};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::sequence_classification)
    b.part(Part::output_head, [&] { linear(b, "classifier", m.hidden, num_labels(c)); });
  else
    decoder_head(c, b, m);
}

}  // namespace

extern const Family ctrl{
    .model_type = "ctrl",
    .summary = "Multi-head attention, ungated MLP, biases, sinusoidal positions, tied embeddings.",
    .classes = {.listed = classes},
    .aliases = gpt_aliases,
    .backbone = backbone,
    .head = head,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
