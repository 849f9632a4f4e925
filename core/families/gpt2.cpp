// GPT-2: learned positions, one projection for query, key and value, two-matrix feed-forward, biases everywhere, tied head.
// Its linear layers are stored transposed (Conv1D).
// Source: transformers, models/gpt2.

#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"GPT2LMHeadModel", Head::causal_lm, "transformer"},
    {"GPT2Model", Head::none, ""},
    {"GPT2ForSequenceClassification", Head::sequence_classification, "transformer"},
    {"GPT2ForTokenClassification", Head::token_classification, "transformer"},
    {"GPT2ForQuestionAnswering", Head::question_answering, "transformer"},
    {"GPT2DoubleHeadsModel", Head::double_heads, "transformer"},
};

constexpr Alias aliases[] = {
    {"hidden_size", "n_embd"},
    {"max_position_embeddings", "n_positions"},
    {"num_attention_heads", "n_head"},
    {"num_hidden_layers", "n_layer"},
};

void attention_block(Builder& b, std::string_view name, Expr d, bool cross) {
  b.scope(Part::attention, name, [&] {
    conv1d_linear(b, "c_attn", d, (cross ? 2 : 3) * d);
    if (cross) conv1d_linear(b, "q_attn", d, d);
    conv1d_linear(b, "c_proj", d, d);
  });
}

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("n_embd", 768), n_layers = c.integer("n_layer", 12), n = c.integer("n_head", 12);
  const Expr f = c.integer("n_inner", 4 * d), vocab = c.integer("vocab_size", 50257), positions = c.integer("n_positions", 1024);
  const bool cross = c.flag("add_cross_attention", false);
  const Tensor table = embedding(b, "wte", vocab, d);
  embedding(b, "wpe", positions, d);
  b.repeat("h", all(n_layers), [&] {
    require_positive(d);
    require_multiple(d, n);
    layer_norm(b, "ln_1", d);
    attention_block(b, "attn", d, false);
    if (cross) {
      layer_norm(b, "ln_cross_attn", d);
      attention_block(b, "crossattention", d, true);
    }
    layer_norm(b, "ln_2", d);
    b.scope(Part::feed_forward, "mlp", [&] {
      conv1d_linear(b, "c_fc", d, f);
      conv1d_linear(b, "c_proj", f, d);
    });
  });
  layer_norm(b, "ln_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .token_classifier = "classifier"};
}

/// With double heads a second one scores each of several answers.
void head(Config c, Builder& b, const Backbone& m) {
  decoder_head(c, b, m);
  if (b.architecture().head != Head::double_heads) return;
  static constexpr std::string_view summaries[] = {"last", "first", "mean", "cls_index"};
  static_cast<void>(c.text("summary_type", "cls_index", summaries));
  if (!c.flag("summary_use_proj", true)) return;
  const bool to_labels = c.flag("summary_proj_to_labels", true);
  b.scope(Part::output_head, "multiple_choice_head", [&] { linear(b, "summary", m.hidden, to_labels ? c.literal(1) : m.hidden, true); });
}

}  // namespace

const Family gpt2{"gpt2",
                  "Learned positions, multi-head attention, two-matrix feed-forward, biases everywhere, tied head.",
                  {.listed = classes},
                  aliases,
                  backbone,
                  head};

}  // namespace param_ledger
