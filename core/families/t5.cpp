// T5: encoder and decoder that share one embedding table; relative positions as a bias per head, in the first layer only.
// Source: transformers, models/t5.

#include "core/blocks/attention.hpp"
#include "core/blocks/feed_forward.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"T5ForConditionalGeneration", Head::conditional_generation, ""},
    {"T5Model", Head::none, ""},
    {"T5EncoderModel", Head::encoder, ""},
    {"T5ForSequenceClassification", Head::sequence_classification, "transformer"},
    {"T5ForTokenClassification", Head::token_classification, "transformer"},
    {"T5ForQuestionAnswering", Head::question_answering, ""},
};

constexpr Alias aliases[] = {
    {"hidden_size", "d_model"}, {"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}, {"head_dim", "d_kv"}};

struct Sizes {
  Expr d, f, heads, head_dim, buckets;
  bool gated;
};

void feed_forward(Builder& b, const Sizes& s) {
  if (s.gated)
    gated_mlp(b, "DenseReluDense", s.d, s.f, false, {"wi_0", "wi_1", "wo"});
  else
    mlp(b, "DenseReluDense", s.d, s.f, false, "wi", "wo");
}

/// Encoder or, with attention to the encoder's output, decoder.
void stack(Builder& b, Text name, Expr n_layers, const Sizes& s, bool cross_attention) {
  const Attention a{
      .hidden = s.d, .heads = s.heads, .head_dim = s.head_dim, .scaled_by_head_dim = false, .q = "q", .k = "k", .v = "v", .o = "o"};
  b.scope(name, [&] {
    b.repeat("block", all(n_layers), [&] {
      Count index = 0;
      const auto sublayer = [&](auto body) {
        b.scope(concat({"layer.", digits(index++)}), [&] {
          body();
          rms_norm(b, "layer_norm", s.d);
        });
      };
      sublayer([&] { attention(b, "SelfAttention", a); });
      if (cross_attention) sublayer([&] { attention(b, "EncDecAttention", a); });
      sublayer([&] { feed_forward(b, s); });
    });
    if (!is_zero(n_layers))
      b.repeat("block", only(0), [&] {
        b.part(Part::attention, [&] {
          table(b, "layer.0.SelfAttention.relative_attention_bias", s.buckets, s.heads);
          if (cross_attention)
            b.beside(Kind::possible, "The first version of T5 had such a table here, too, which it did not use.",
                     [&] { table(b, "layer.1.EncDecAttention.relative_attention_bias", s.buckets, s.heads); });
        });
      });
    rms_norm(b, "final_layer_norm", s.d);
  });
}

/// "relu" or "gated-gelu": whether the feed-forward block is gated, unless is_gated_act says otherwise.
bool gated(Config c) {
  const std::string_view activation = c.text("feed_forward_proj", "relu");
  const std::size_t dash = activation.find('-');
  const bool prefixed = activation.substr(0, dash) == "gated";
  if (dash != std::string::npos && (!prefixed || activation.find('-', dash + 1) != std::string::npos))
    c.refuse(ErrorCode::out_of_range, "feed_forward_proj",
             "must be an activation or \"gated-\" and an activation, e.g. \"relu\" or \"gated-gelu\".");
  refuse_learned(c, "feed_forward_proj", activation.substr(dash == std::string::npos ? 0 : dash + 1));
  return c.has("is_gated_act") ? c.flag("is_gated_act", prefixed, Null::allowed) : prefixed;
}

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 512), f = c.integer("d_ff", 2048), vocab = c.integer("vocab_size", 32128);
  const Expr n_layers = c.integer("num_layers", 6), n = c.integer("num_heads", 8), h = c.integer("d_kv", 64);
  const Sizes sizes{
      .d = d, .f = f, .heads = n, .head_dim = h, .buckets = c.integer("relative_attention_num_buckets", 32), .gated = gated(c)};
  const bool encoder_only = b.architecture().head == Head::encoder || b.architecture().head == Head::token_classification;

  const Tensor shared = embedding(b, "shared", vocab, d);
  const auto stack_of = [&](Text name, Expr n_stack, bool cross_attention) {
    b.scope(Part::embedding, name, [&] { b.tied("embed_tokens.weight", shared); });
    stack(b, name, n_stack, sizes, cross_attention);
  };
  // A class of the encoder alone takes is_decoder at its word; the others set it for each stack.
  stack_of("encoder", n_layers, encoder_only && c.flag("is_decoder", false));
  if (!encoder_only) stack_of("decoder", c.integer("num_decoder_layers", n_layers), true);
  return {.hidden = d, .embedding = shared};
}

/// transformers ties the head always and takes tie_word_embeddings for something else.
void untied_head(Config c, Builder& b, const Backbone& m) {
  c.ignore("tie_word_embeddings", "transformers always ties the embeddings and the head of this type.");
  const Json tie = c.peek("tie_word_embeddings");
  if (b.architecture().head != Head::conditional_generation || !tie.is(Json::Type::boolean) || tie.boolean()) return;
  b.warn("tie_word_embeddings",
         "transformers ties the head all the same, and so it is counted; the head of its own that T5 1.1 has is counted as published.");
  b.beside(Kind::published, "T5 1.1 has a head of its own, in the place of which transformers takes the embedding table.",
           [&] { linear(b, "lm_head", m.hidden, b.row(m.embedding).shape.front()); });
}

void head(Config c, Builder& b, const Backbone& m) {
  b.part(Part::output_head, [&] {
    switch (b.architecture().head) {
      case Head::conditional_generation: b.tied("lm_head.weight", m.embedding); break;
      case Head::sequence_classification: two_layer_classifier(b, "classification_head", m.hidden, num_labels(c)); break;
      case Head::token_classification: linear(b, "classifier", m.hidden, num_labels(c), true); break;
      case Head::question_answering: linear(b, "qa_outputs", m.hidden, num_labels(c), true); break;
      default: break;
    }
    untied_head(c, b, m);
  });
}

}  // namespace

extern const Family t5{
    .model_type = "t5",
    .summary = "Encoder and decoder sharing one embedding; relative position bias in the first layers.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
