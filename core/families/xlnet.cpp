// XLNet: post-norm layers. Attention uses relative positions and segments. Its projections are stored per head and have no biases, but
// three learned vectors per head are added to the queries. Source: transformers, models/xlnet.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/gpt.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"XLNetLMHeadModel", Head::causal_lm, "transformer"},
    {"XLNetModel", Head::none, ""},
    {"XLNetForSequenceClassification", Head::sequence_classification, "transformer"},
    {"XLNetForTokenClassification", Head::token_classification, "transformer"},
    {"XLNetForQuestionAnsweringSimple", Head::question_answering, "transformer"},
    {"XLNetForQuestionAnswering", Head::other, "transformer"},
    {"XLNetForMultipleChoice", Head::multiple_choice, "transformer"},
};

constexpr Alias aliases[] = {
    {"n_token", "vocab_size"}, {"hidden_size", "d_model"}, {"num_attention_heads", "n_head"}, {"num_hidden_layers", "n_layer"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 1024), f = c.integer("d_inner", 4096), n_layers = c.integer("n_layer", 24);
  const Expr n = c.integer("n_head", 16, 1), h = c.integer("d_head", unless_zero.or_else(floor_divide(d, n))),
             vocab = c.integer("vocab_size", 32000);
  require_multiple(d, n);
  require_equal(h, floor_divide(d, n));
  b.part(Part::embedding, [&] { b.parameter("mask_emb", {c.literal(1), c.literal(1), d}); });
  const Tensor table = embedding(b, "word_embedding", vocab, d, TensorRole::token_embedding);
  b.repeat("layer", all(n_layers), [&] {
    require_positive(d);
    b.scope(Part::attention, "rel_attn", [&] {
      const InBlock block(b, {.mechanism = Mechanism::attention, .heads = n, .kv_heads = n});
      const auto matrix = [&](TensorRole role, Text name) {
        b.scope(role, "", [&] { b.parameter(name, {d, n, h}, StorageKind::matrix); });
      };
      matrix(TensorRole::query, "q");
      matrix(TensorRole::key, "k");
      matrix(TensorRole::value, "v");
      matrix(TensorRole::output, "o");
      matrix(TensorRole::unspecified, "r");
      for (const Text name : {"r_r_bias", "r_s_bias", "r_w_bias"}) b.parameter(name, {n, h});
      b.parameter("seg_embed", {c.literal(2), n, h}, StorageKind::table);
      layer_norm(b, "layer_norm", d);
    });
    layer_norm(b, "ff.layer_norm", d);
    mlp(b, "ff", d, f, true, "layer_1", "layer_2");
  });
  return {.hidden = d,
          .embedding = table,
          .tie_by_default = true,
          .language_model = "lm_loss",
          .language_model_bias = true,
          .token_classifier = "classifier"};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head head = b.architecture().head;
  b.part(Part::output_head, [&] {
    switch (head) {
      case Head::sequence_classification:
      case Head::multiple_choice: {
        const Expr labels = num_labels(c);
        sequence_summary(c, b, "sequence_summary", m.hidden, labels, {"last", false});
        linear(b, "logits_proj", m.hidden, head == Head::multiple_choice ? c.literal(1) : labels, true);
        break;
      }
      case Head::other: answer_span(b, m.hidden); break;
      case Head::question_answering: linear(b, "qa_outputs", m.hidden, num_labels(c), true); break;
      default: decoder_head(c, b, m);
    }
  });
}

}  // namespace

extern const Family xlnet{
    .model_type = "xlnet",
    .summary = "Permutation language model: relative positions (Transformer-XL), post-norm, tied embeddings.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
