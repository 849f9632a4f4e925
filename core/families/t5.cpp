// T5 and other encoder-decoders built from its layers. Each model type is described by a T5Type. Encoder and decoder share an embedding
// table. Relative positions are encoded by a table of biases with a column for each head, which is usually stored only in the first layer.
// Source: transformers, models/t5, mt5, umt5, longt5, pop2piano.

#include "core/nn/text/t5.hpp"

#include "core/builder/inference.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

namespace {

/// The defaults and options that differ between model types built from T5's layers.
struct T5Type {
  std::uint64_t vocabulary, hidden, inner, layers, heads;
  Text feed_forward = "gated-gelu";
  bool bias_in_each = false;  ///< whether each layer has a table of relative position biases
  bool unused_table = false;  ///< whether old files also contain an unused position bias table for cross-attention
  bool windows = false;       ///< whether the encoder has local attention, optionally with global summaries (LongT5)
  bool piano = false;         ///< whether the model reads a spectrogram and a composer id, and has an untied head (Pop2Piano)
};

constexpr T5Type t5_itself{
    .vocabulary = 32128, .hidden = 512, .inner = 2048, .layers = 6, .heads = 8, .feed_forward = "relu", .unused_table = true};
constexpr T5Type longt5_type{
    .vocabulary = 32128, .hidden = 512, .inner = 2048, .layers = 6, .heads = 8, .feed_forward = "relu", .windows = true};
constexpr T5Type mt5_type{.vocabulary = 250112, .hidden = 512, .inner = 1024, .layers = 8, .heads = 6};
constexpr T5Type pop2piano_type{.vocabulary = 2400, .hidden = 512, .inner = 2048, .layers = 6, .heads = 8, .piano = true};
constexpr T5Type umt5_type{.vocabulary = 250112, .hidden = 512, .inner = 1024, .layers = 8, .heads = 6, .bias_in_each = true};

/// Records the additional tensors for LongT5's global summaries in the encoder.
void summaries(Builder& b, const T5Stack& s) {
  b.repeat("block", all(s.n_layers), [&] { rms_norm(b, "layer.0.TransientGlobalSelfAttention.global_input_layer_norm", s.hidden); });
  if (s.n_layers.decide() == 0) return;
  b.repeat("block", only(0), [&] {
    b.scope(Part::attention, "layer.0.TransientGlobalSelfAttention",
            [&] { table(b, "global_relative_attention_bias", s.buckets, s.heads); });
  });
}

BackboneOutput t5_backbone(Config c, Builder& b, const T5Type& type) {
  const Expr d = c.integer("d_model", type.hidden), f = c.integer("d_ff", type.inner), vocab = c.integer("vocab_size", type.vocabulary);
  const Expr n_layers = c.integer("num_layers", type.layers), n = c.integer("num_heads", type.heads), h = c.integer("d_kv", 64);
  T5Stack s{.hidden = d, .inner = f, .heads = n, .head_dim = h, .buckets = c.integer("relative_attention_num_buckets", 32)};
  s.gated = t5_gated(c, type.feed_forward, type.piano);
  s.bias_in_each = type.bias_in_each;
  static constexpr std::string_view kinds[] = {"local", "transient-global"};
  const bool global = type.windows && c.text("encoder_attention_type", "local", kinds) == "transient-global";
  const bool encoder_only = b.architecture().head == Head::encoder || b.architecture().head == Head::token_classification;

  const Tensor shared = embedding(b, "shared", vocab, d, TensorRole::token_embedding);
  if (type.piano) embedding(b, "mel_conditioner.embedding", c.integer("composer_vocab_size", 21), d);
  const auto stack_of = [&](Text name, Expr n_stack, bool decodes) {
    s.n_layers = n_stack;
    s.cross_attention = decodes;
    s.attention = decodes || !type.windows ? "SelfAttention" : global ? "TransientGlobalSelfAttention" : "LocalSelfAttention";
    b.scope(name, [&] {
      b.part(Part::embedding, [&] { b.tied("embed_tokens.weight", shared); });
      t5_stack(b, s);
      if (global && !decodes) summaries(b, s);
      if (!decodes || !type.unused_table || n_stack.decide() == 0) return;
      b.beside(Kind::possible, "Files of the first T5 also have this table, which is not used.", [&] {
        b.repeat("block", only(0),
                 [&] { b.part(Part::attention, [&] { table(b, "layer.1.EncDecAttention.relative_attention_bias", s.buckets, n); }); });
      });
    });
  };
  // Encoder-only classes read is_decoder from the configuration; other classes set it for each stack.
  record_encoder(b, source_tokens(b), [&] { stack_of("encoder", n_layers, encoder_only && c.flag("is_decoder", false)); });
  if (!encoder_only) stack_of("decoder", c.integer("num_decoder_layers", n_layers), true);
  return {.hidden = d, .embedding = shared};
}

/// If tie_word_embeddings is false, as for T5 1.1, warns, and records the separate head of the published files. transformers always ties
/// the head. For T5 and LongT5 the field only decides whether the decoder's output is scaled; for mT5 and UMT5 it has no effect.
void untied_head(Config c, Builder& b, const BackboneOutput& m) {
  c.ignore("tie_word_embeddings", "transformers always ties the embeddings and the head of this type.");
  const Json tie = c.peek("tie_word_embeddings");
  if (b.architecture().head != Head::conditional_generation || !tie.is(Json::Type::boolean) || tie.boolean()) return;
  b.warn("tie_word_embeddings",
         "transformers ties the head anyway, and so does this count. The separate head of T5 1.1 is listed as a tensor that only the files "
         "contain.");
  b.beside(Kind::published, "T5 1.1 has a separate head. transformers uses the embedding table instead.",
           [&] { linear(b, "lm_head", m.hidden, b.row(m.embedding).shape.front(), false, TensorRole::head); });
}

void head(Config c, Builder& b, const BackboneOutput& m) {
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

/// Records Pop2Piano's head, which is never tied, regardless of tie_word_embeddings.
void piano_head(Config c, Builder& b, const BackboneOutput& m) {
  c.ignore("tie_word_embeddings", "transformers never ties the head of this type.");
  language_model_head(b, m, false);
}

template <const T5Type& type>
BackboneOutput of_type(Config c, Builder& b) {
  return t5_backbone(c, b, type);
}

constexpr Architecture t5_classes[] = {
    {"T5ForConditionalGeneration", Head::conditional_generation, ""},
    {"T5Model", Head::none, ""},
    {"T5EncoderModel", Head::encoder, ""},
    {"T5ForSequenceClassification", Head::sequence_classification, "transformer"},
    {"T5ForTokenClassification", Head::token_classification, "transformer"},
    {"T5ForQuestionAnswering", Head::question_answering, ""},
};
constexpr Architecture longt5_classes[] = {
    {"LongT5ForConditionalGeneration", Head::conditional_generation, ""},
    {"LongT5Model", Head::none, ""},
    {"LongT5EncoderModel", Head::encoder, ""},
};
constexpr Architecture mt5_classes[] = {
    {"MT5ForConditionalGeneration", Head::conditional_generation, ""},
    {"MT5Model", Head::none, ""},
    {"MT5EncoderModel", Head::encoder, ""},
    {"MT5ForSequenceClassification", Head::sequence_classification, "transformer"},
    {"MT5ForTokenClassification", Head::token_classification, "transformer"},
    {"MT5ForQuestionAnswering", Head::question_answering, ""},
};
constexpr Architecture pop2piano_classes[] = {{"Pop2PianoForConditionalGeneration", Head::conditional_generation, ""}};
constexpr Architecture umt5_classes[] = {
    {"UMT5ForConditionalGeneration", Head::conditional_generation, ""},
    {"UMT5Model", Head::none, ""},
    {"UMT5EncoderModel", Head::encoder, ""},
    {"UMT5ForSequenceClassification", Head::sequence_classification, "transformer"},
    {"UMT5ForTokenClassification", Head::token_classification, "transformer"},
    {"UMT5ForQuestionAnswering", Head::question_answering, ""},
};

template <const T5Type& type>
constexpr Family family(Text model_type, Text summary, Classes classes, Cache cache = {}, Text uncomputed = {}) {
  return {.model_type = model_type,
          .summary = summary,
          .classes = classes,
          .aliases = type.piano ? t5_aliases_without_head : std::span<const Alias>(t5_aliases),
          .backbone = of_type<type>,
          .head = type.piano ? piano_head : head,
          .cache = cache,
          .uncomputed = uncomputed};
}

}  // namespace

extern const Family longt5 =
    family<longt5_type>("longt5", "Like T5, with local or transient-global attention for long inputs.", {.listed = longt5_classes},
                        caches::encoder_and_decoder, "Its encoder has block-local attention. These operations are not counted.");
extern const Family mt5 = family<mt5_type>("mt5", "Like T5, multilingual.", {.listed = mt5_classes}, caches::encoder_and_decoder);
extern const Family pop2piano =
    family<pop2piano_type>("pop2piano", "Piano covers (MIDI) from audio: T5 on spectrograms.", {.listed = pop2piano_classes});
extern const Family t5 = family<t5_itself>("t5", "Encoder-decoder with relative position bias and shared embeddings.",
                                           {.listed = t5_classes}, caches::encoder_and_decoder);
extern const Family umt5 = family<umt5_type>("umt5", "Like mT5, with relative position bias in each layer.", {.listed = umt5_classes},
                                             caches::encoder_and_decoder);

}  // namespace param_ledger
