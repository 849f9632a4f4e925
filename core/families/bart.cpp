// BART and other encoder-decoders with similar tensors. Each model type is described by a BartType. By default, encoder and decoder share
// one embedding table. The causal class has only the decoder and a head. Source: transformers, models/<type>.

#include "core/builder/blocks.hpp"
#include "core/builder/inference.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

namespace {

/// The defaults and options that differ between model types with BART's tensors.
struct BartType {
  std::uint64_t vocabulary, hidden, positions;
  StackDefaults encoder, decoder;
  std::uint64_t positions_kept_free = 2;  ///< number of rows in the position table before the first position
  bool stored_positions = true;           ///< whether the position table is stored
  bool sinusoids = false;                 ///< whether the stored positions are fixed sinusoids
  bool embedding_norm = true;
  bool last_norm = false;
  std::uint64_t labels = 2;
  bool two_languages = false;  ///< whether the decoder may have its own vocabulary and embedding table (Marian)
  bool big_bird = false;    ///< BigBird-Pegasus: use_bias determines whether attention has biases, the encoder names query, key and value
                            ///< as BERT does, and the causal class has an untied head
  bool prompts = false;     ///< whether the decoder's layers may have learned prompts (MVP)
  bool logits_bias = true;  ///< whether the class for conditional generation has a bias of the logits, a buffer
};

constexpr BartType bart_itself{
    .vocabulary = 50265, .hidden = 1024, .positions = 1024, .encoder = {12, 4096, 16}, .decoder = {12, 4096, 16}, .labels = 3};
constexpr BartType bigbird_pegasus_type{.vocabulary = 96103,
                                        .hidden = 1024,
                                        .positions = 4096,
                                        .encoder = {16, 4096, 16},
                                        .decoder = {16, 4096, 16},
                                        .positions_kept_free = 0,
                                        .big_bird = true};
constexpr BartType blenderbot_type{.vocabulary = 8008,
                                   .hidden = 2560,
                                   .positions = 128,
                                   .encoder = {2, 10240, 32},
                                   .decoder = {24, 10240, 32},
                                   .positions_kept_free = 0,
                                   .embedding_norm = false,
                                   .last_norm = true};
constexpr BartType blenderbot_small_type{
    .vocabulary = 50265, .hidden = 512, .positions = 512, .encoder = {8, 2048, 16}, .decoder = {8, 2048, 16}, .positions_kept_free = 0};
constexpr BartType m2m_100_type{.vocabulary = 128112,
                                .hidden = 1024,
                                .positions = 1024,
                                .encoder = {12, 4096, 16},
                                .decoder = {12, 4096, 16},
                                .stored_positions = false,
                                .embedding_norm = false,
                                .last_norm = true,
                                .logits_bias = false};
constexpr BartType marian_type{.vocabulary = 58101,
                               .hidden = 1024,
                               .positions = 1024,
                               .encoder = {12, 4096, 16},
                               .decoder = {12, 4096, 16},
                               .positions_kept_free = 0,
                               .sinusoids = true,
                               .embedding_norm = false,
                               .two_languages = true};
constexpr BartType mbart_type{
    .vocabulary = 50265, .hidden = 1024, .positions = 1024, .encoder = {12, 4096, 16}, .decoder = {12, 4096, 16}, .last_norm = true};
constexpr BartType mvp_type{
    .vocabulary = 50267, .hidden = 1024, .positions = 1024, .encoder = {12, 4096, 16}, .decoder = {12, 4096, 16}, .prompts = true};
constexpr BartType pegasus_type{.vocabulary = 50265,
                                .hidden = 1024,
                                .positions = 1024,
                                .encoder = {12, 4096, 16},
                                .decoder = {12, 4096, 16},
                                .positions_kept_free = 0,
                                .sinusoids = true,
                                .embedding_norm = false,
                                .last_norm = true};
constexpr BartType plbart_type{.vocabulary = 50005, .hidden = 768, .positions = 1024, .encoder = {6, 3072, 12}, .decoder = {6, 3072, 12}};

/// Records MVP's optional learned prompts, which precede the keys and values of each decoder layer.
void prompts(Config c, Builder& b, const Stack& decoder) {
  const bool used = c.flag("use_prompt", false);
  const Expr length = c.integer("prompt_length", 100), inner = c.integer("prompt_mid_dim", 800);
  if (!used) return;
  for (const Text name : {"decoder.self_attn_prompt", "decoder.cross_attn_prompt"}) {
    b.scope(Part::adapter, name, [&] {
      table(b, "prompt_embedding", length, decoder.hidden);
      linear(b, "prompt_trans.0", decoder.hidden, inner, true);
      linear(b, "prompt_trans.2", inner, 2 * decoder.n_layers * decoder.hidden, true);
    });
  }
}

BackboneOutput bart_backbone(Config c, Builder& b, const BartType& type) {
  const bool whole = b.architecture().head != Head::causal_lm;
  const Expr vocab = c.integer("vocab_size", type.vocabulary), d = c.integer("d_model", type.hidden);
  Expr positions;
  if (type.stored_positions) positions = c.integer("max_position_embeddings", type.positions) + type.positions_kept_free;
  Stack encoder, decoder = decoder_fields(c, d, type.decoder);
  if (whole) {
    encoder = encoder_fields(c, d, type.encoder);
    decoder.encoder_length = source_tokens(b);
  }
  if (type.big_bird) {
    decoder.attention_bias = encoder.attention_bias = c.flag("use_bias", false);
    encoder.names = {"self.query", "self.key", "self.value", "output"};
  }
  const bool shared = whole && (!type.two_languages || c.flag("share_encoder_decoder_embeddings", true));
  const bool tied = shared && c.flag("tie_word_embeddings", true);
  Expr target_vocab = vocab;
  if (type.two_languages) {
    const Expr own = c.integer("decoder_vocab_size", vocab);  // 0 means that vocab_size is used
    if (!tied && !is_zero(own)) target_vocab = own;
  }

  Tensor words;
  if (shared) words = embedding(b, "shared", vocab, d, TensorRole::token_embedding);
  const auto stack = [&](Text name, const Stack& s, Expr rows) {
    Tensor own;
    b.scope(name, [&] {
      if (tied)
        b.part(Part::embedding, [&] { b.tied("embed_tokens.weight", words); });
      else
        own = embedding(b, "embed_tokens", rows, d, TensorRole::token_embedding);
      if (type.stored_positions) embedding(b, "embed_positions", positions, d, TensorRole::position_embedding);
      if (type.sinusoids) record_block(b, {Mechanism::sinusoidal_positions}, "embed_positions");
      if (type.embedding_norm) norm(b, Norm::layer, "layernorm_embedding", d, TensorRole::embedding_norm);
      stack_layers(b, s);
      if (type.last_norm) layer_norm(b, "layer_norm", d);
    });
    return own;
  };
  if (whole) record_encoder(b, source_tokens(b), [&] { stack("encoder", encoder, vocab); });
  const Tensor target = stack("decoder", decoder, target_vocab);
  if (type.prompts && whole) prompts(c, b, decoder);
  return {.hidden = d,
          .embedding = type.big_bird && !whole ? Tensor{}
                       : shared                ? words
                                               : target,
          .vocabulary = shared || !whole ? vocab : target_vocab,
          .tie_by_default = true};
}

void bart_head(Config c, Builder& b, const BackboneOutput& m, const BartType& type) {
  b.part(Part::output_head, [&] {
    switch (b.architecture().head) {
      case Head::conditional_generation:
        if (type.logits_bias) b.buffer("final_logits_bias", {c.literal(1), m.vocabulary});
        [[fallthrough]];
      case Head::causal_lm: language_model_head(c, b, m); break;
      case Head::sequence_classification: two_layer_classifier(b, "classification_head", m.hidden, num_labels(c, type.labels)); break;
      case Head::question_answering: linear(b, "qa_outputs", m.hidden, c.literal(2), true); break;
      default: break;
    }
  });
}

template <const BartType& type>
BackboneOutput of_type(Config c, Builder& b) {
  return bart_backbone(c, b, type);
}

template <const BartType& type>
void head_of_type(Config c, Builder& b, const BackboneOutput& m) {
  bart_head(c, b, m, type);
}

/// The Family of a model type that a BartType describes.
template <const BartType& type>
constexpr Family family(Text model_type, Text summary, Classes classes, Cache cache = {}) {
  return {.model_type = model_type,
          .summary = summary,
          .classes = classes,
          .aliases = bart_aliases,
          .backbone = of_type<type>,
          .head = head_of_type<type>,
          .cache = cache};
}

constexpr unsigned generating = heads::conditional | heads::causal_lm | heads::base;
constexpr unsigned all_but_tokens = generating | heads::sequence | heads::question;
constexpr Architecture marian_classes[] = {{"MarianMTModel", Head::conditional_generation, "model"},
                                           {"MarianForCausalLM", Head::causal_lm, "model"},
                                           {"MarianModel", Head::none, ""}};

}  // namespace

extern const Family bart = family<bart_itself>("bart", "Encoder-decoder with learned positions and shared embeddings.",
                                               {"Bart", all_but_tokens}, caches::encoder_and_decoder);
extern const Family bigbird_pegasus = family<bigbird_pegasus_type>(
    "bigbird_pegasus", "Long-document summarization: like BART, with sparse attention, mostly without attention biases.",
    {"BigBirdPegasus", all_but_tokens}, caches::decoder_alone);
extern const Family blenderbot = family<blenderbot_type>("blenderbot", "Dialogue: like BART, with a small encoder and a final norm.",
                                                         {"Blenderbot", generating}, caches::encoder_and_decoder);
extern const Family blenderbot_small = family<blenderbot_small_type>("blenderbot-small", "Dialogue: like BART, smaller.",
                                                                     {"BlenderbotSmall", generating}, caches::encoder_and_decoder);
extern const Family m2m_100 =
    family<m2m_100_type>("m2m_100", "Multilingual translation: like BART, with sinusoidal positions and a final norm.",
                         {"M2M100", heads::conditional | heads::base}, caches::encoder_and_decoder);
extern const Family marian = family<marian_type>("marian", "Machine translation: like BART, with sinusoidal positions.",
                                                 {.listed = marian_classes}, caches::encoder_and_decoder);
extern const Family mbart = family<mbart_type>("mbart", "Multilingual translation: like BART, with a final norm.",
                                               {"MBart", all_but_tokens}, caches::encoder_and_decoder);
extern const Family mvp =
    family<mvp_type>("mvp", "Like BART, with optional prefix prompts.", {"Mvp", all_but_tokens}, caches::decoder_alone);
extern const Family pegasus = family<pegasus_type>("pegasus", "Summarization: like BART, with sinusoidal positions and a final norm.",
                                                   {"Pegasus", generating}, caches::encoder_and_decoder);
extern const Family plbart =
    family<plbart_type>("plbart", "Like BART, for source code.", {"PLBart", generating | heads::sequence}, caches::encoder_and_decoder);

}  // namespace param_ledger
