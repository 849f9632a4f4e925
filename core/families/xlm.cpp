// XLM, and FlauBERT, which is XLM for French: learned positions, by default language embeddings if there are several languages, and biases
// in all linear layers of attention and feed-forward. Each kind of module is in a separate list with one entry per layer. Source:
// transformers, models/xlm, flaubert.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/gpt.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"XLMWithLMHeadModel", Head::causal_lm, "transformer"},
    {"XLMModel", Head::none, ""},
    {"XLMForSequenceClassification", Head::sequence_classification, "transformer"},
    {"XLMForTokenClassification", Head::token_classification, "transformer"},
    {"XLMForQuestionAnsweringSimple", Head::question_answering, "transformer"},
    {"XLMForQuestionAnswering", Head::other, "transformer"},
    {"XLMForMultipleChoice", Head::multiple_choice, "transformer"},
};

constexpr Architecture flaubert_classes[] = {
    {"FlaubertWithLMHeadModel", Head::causal_lm, "transformer"},
    {"FlaubertModel", Head::none, ""},
    {"FlaubertForSequenceClassification", Head::sequence_classification, "transformer"},
    {"FlaubertForTokenClassification", Head::token_classification, "transformer"},
    {"FlaubertForQuestionAnsweringSimple", Head::question_answering, "transformer"},
    {"FlaubertForQuestionAnswering", Head::other, "transformer"},
    {"FlaubertForMultipleChoice", Head::multiple_choice, "transformer"},
};

constexpr Alias aliases[] = {
    {"hidden_size", "emb_dim"}, {"num_attention_heads", "n_heads"}, {"num_hidden_layers", "n_layers"}, {"n_words", "vocab_size"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("emb_dim", 2048), n_layers = c.integer("n_layers", 12), n = c.integer("n_heads", 16, 1);
  const Expr vocab = c.integer("vocab_size", 30145), positions = c.integer("max_position_embeddings", 512);
  const Expr languages = c.integer("n_langs", 1);
  const bool language_table = c.flag("use_lang_emb", true);
  if (!c.flag("is_encoder", true)) c.refuse(ErrorCode::unsupported, "is_encoder", "must be true: transformers has no XLM decoder.");
  require_multiple(d, n);
  embedding(b, "position_embeddings", positions, d, TensorRole::position_embedding);
  if (less(c.literal(1), languages) && language_table) embedding(b, "lang_embeddings", languages, d);
  const Tensor table = embedding(b, "embeddings", vocab, d, TensorRole::token_embedding);
  layer_norm(b, "layer_norm_emb", d);
  const IndexSet layers = all(n_layers);
  b.repeat("attentions", layers, [&] {
    attention(b, "",
              {.hidden = d,
               .heads = n,
               .qkv_bias = true,
               .output_bias = true,
               .scaled_by_head_dim = false,
               .q = "q_lin",
               .k = "k_lin",
               .v = "v_lin",
               .o = "out_lin"});
  });
  b.repeat("layer_norm1", layers, [&] { layer_norm(b, "", d); });
  b.repeat("ffns", layers, [&] { mlp(b, "", d, 4 * d, true, "lin1", "lin2"); });
  b.repeat("layer_norm2", layers, [&] { layer_norm(b, "", d); });
  return {.hidden = d,
          .embedding = table,
          .tie_by_default = true,
          .language_model = "pred_layer.proj",
          .language_model_bias = true,
          .token_classifier = "classifier"};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  b.part(Part::output_head, [&] {
    switch (b.architecture().head) {
      case Head::causal_lm:
        if (c.flag("asm", false)) c.refuse(ErrorCode::unsupported, "asm", "adds an adaptive softmax, which is not counted.");
        decoder_head(c, b, m);
        break;
      case Head::sequence_classification: sequence_summary(c, b, "sequence_summary", m.hidden, num_labels(c), {"first"}); break;
      case Head::multiple_choice:
        sequence_summary(c, b, "sequence_summary", m.hidden, num_labels(c), {"first"});
        linear(b, "logits_proj", num_labels(c), c.literal(1), true);
        break;
      case Head::other: b.scope("qa_outputs", [&] { answer_span(b, m.hidden); }); break;
      case Head::question_answering: linear(b, "qa_outputs", m.hidden, num_labels(c), true); break;
      default: decoder_head(c, b, m);
    }
  });
}

}  // namespace

extern const Family flaubert{
    .model_type = "flaubert",
    .summary = "XLM for French.",
    .classes = {.listed = flaubert_classes},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};
extern const Family xlm{
    .model_type = "xlm",
    .summary = "Multilingual transformer with post-norm layers, learned positions and language embeddings; tied embeddings.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
