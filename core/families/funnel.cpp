// Funnel Transformer: the length of the sequence is halved between blocks of layers. In most classes, the last layers process the full
// sequence again. Relative positions are handled as in Transformer-XL. Source: transformers, models/funnel.

#include "core/builder/family.hpp"
#include "core/builder/inference.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"hidden_size", "d_model"}, {"num_attention_heads", "n_head"}};

struct Layer {
  Expr d, f, n, h;
};

void record(Builder& b, const Layer& l) {
  const Expr width = l.n * l.h;
  require_positive(l.h);
  b.scope(Part::attention, "attention", [&] {
    linear(b, "q_head", l.d, width, false, TensorRole::query);
    linear(b, "k_head", l.d, width, true, TensorRole::key);
    linear(b, "v_head", l.d, width, true, TensorRole::value);
    for (const Text name : {"r_w_bias", "r_r_bias", "r_s_bias"}) b.parameter(name, {l.n, l.h});
    b.parameter("r_kernel", {l.d, l.n, l.h}, StorageKind::matrix);
    b.parameter("seg_embed", {b.pool().literal(2), l.n, l.h}, StorageKind::table);
    linear(b, "post_proj", width, l.d, true, TensorRole::output);
    layer_norm(b, "layer_norm", l.d);
    record_attention(b, {l.n, l.n, l.h});
  });
  mlp(b, "ffn", l.d, l.f, true, "linear_1", "linear_2");
  layer_norm(b, "ffn.layer_norm", l.d);
}

/// Whether the class has the layers that process the full sequence again. FunnelBaseModel and the classes with one output per sequence do
/// not have them.
bool whole(Head head) { return head != Head::sequence_classification && head != Head::multiple_choice && head != Head::encoder; }

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 30522), d = c.integer("d_model", 768), n = c.integer("n_head", 12);
  const Layer layer{d, c.integer("d_inner", 3072), n, c.integer("d_head", 64)};
  const std::vector<Expr> blocks = c.dimensions("block_sizes", {4, 4, 4});
  const Expr behind = c.integer("num_decoder_layers", 2);
  const Json repeats = c.peek("block_repeats");
  if (repeats.is(Json::Type::list) && repeats.size() != blocks.size())
    c.refuse(ErrorCode::inconsistent, "block_repeats", "must have the same length as block_sizes.", Refused::list_length);
  Tensor words;
  b.scope("embeddings", [&] {
    words = embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
    layer_norm(b, "layer_norm", d);
  });
  for (std::size_t i = 0; i < blocks.size(); ++i)
    b.scope(concat({"encoder.blocks.", digits(i)}), [&] { b.repeat("", all(blocks[i]), [&] { record(b, layer); }); });
  if (whole(b.architecture().head)) b.repeat("decoder.layers", all(behind), [&] { record(b, layer); });
  return {.hidden = d, .embedding = words, .tie_by_default = true, .language_model_bias = true};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head kind = b.architecture().head;
  const auto two_layers = [&](Expr labels) {
    b.scope("classifier", [&] {
      linear(b, "linear_hidden", m.hidden, m.hidden, true);
      linear(b, "linear_out", m.hidden, labels, true);
    });
  };
  b.part(Part::output_head, [&] {
    switch (kind) {
      case Head::masked_lm: language_model_head(c, b, m); break;
      case Head::sequence_classification: two_layers(num_labels(c)); break;
      case Head::multiple_choice: two_layers(c.literal(1)); break;
      case Head::token_classification: linear(b, "classifier", m.hidden, num_labels(c), true); break;
      case Head::question_answering: linear(b, "qa_outputs", m.hidden, num_labels(c), true); break;
      case Head::pretraining:
        b.scope("discriminator_predictions", [&] {
          linear(b, "dense", m.hidden, m.hidden, true);
          linear(b, "dense_prediction", m.hidden, c.literal(1), true);
        });
        break;
      default: break;
    }
  });
}

constexpr Architecture base_classes[] = {{"FunnelBaseModel", Head::encoder, ""}};

}  // namespace

extern const Family funnel{
    .model_type = "funnel",
    .summary = "Encoder that pools the sequence stage by stage, with an upsampling decoder for token outputs.",
    .classes = {"Funnel", (heads::encoder & ~heads::causal_lm) | heads::pretraining, "funnel", {}, base_classes},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
