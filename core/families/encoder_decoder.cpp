// An encoder and a decoder of any model types, with a projection between them if their widths differ and cross_attention_hidden_size is not
// given. Also pairs of a vision model and a text model that compare images with texts, and RAG: a question encoder and a generator. Source:
// transformers, models/encoder_decoder, vision_encoder_decoder, speech_encoder_decoder, vision_text_dual_encoder, rag.

#include "core/nn/nested.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

extern const Family dpr;

namespace {

/// If `decoder` is missing, the decoder is a BERT with cross-attention. If it is an empty section, the BERT has no cross-attention.
constexpr BertType bert_type{.sizes = {768, 3072, 12, 30522, 12}, .decodes = false};
constexpr Architecture bert_classes[] = {{"BertLMHeadModel", Head::causal_lm, "bert"}};

BackboneOutput crossing_bert(Config c, Builder& b) {
  BertSizes s = bert_sizes(c, bert_type);
  s.cross_attention = true;
  const Tensor words = bert_embeddings(b, s, bert_type);
  bert_layers(b, s, bert_type);
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}
constexpr Family unnamed_decoder{
    .classes = {.listed = bert_classes},
    .backbone = crossing_bert,
    .head = bert_head_of_type<bert_type>,
};

/// Records `decoder`, a class that generates text. Unless the decoder is as wide as the encoder's output (`output`) or has
/// cross_attention_hidden_size, also records `enc_to_dec_proj`, a projection of the encoder's hidden states, which are `width` wide.
void decoder(Config c, Builder& b, Expr width, Expr output) {
  Config section = c.section("decoder");
  const Family& family = is_given(c, "decoder") ? family_of_section(section, b, "bert") : unnamed_decoder;
  const BackboneOutput out = nested_with_head(section, b, "decoder", family, Head::causal_lm);
  if (is_given(section, "cross_attention_hidden_size")) {
    require_equal(section.optional_integer("cross_attention_hidden_size").value_or(width), width);
    return;
  }
  if (output.decide() != out.hidden.decide()) b.tower(Tower::projector, "", [&] { linear(b, "enc_to_dec_proj", width, out.hidden, true); });
}

BackboneOutput text_backbone(Config c, Builder& b) {
  const BackboneOutput encoder = nested_auto(c.section("encoder"), b, "encoder", "bert");
  decoder(c, b, encoder.hidden, encoder.hidden);
  return encoder;
}

BackboneOutput vision_backbone(Config c, Builder& b) {
  BackboneOutput encoder;
  b.tower(Tower::vision, "encoder", [&] { encoder = nested_auto(c.section("encoder"), b, "", "vit"); });
  decoder(c, b, encoder.hidden, encoder.hidden);
  return encoder;
}

BackboneOutput speech_backbone(Config c, Builder& b) {
  Config section = c.section("encoder");
  BackboneOutput encoder;
  b.tower(Tower::audio, "encoder", [&] { encoder = nested_auto(section, b, "", "wav2vec2"); });
  const Expr width = section.integer("hidden_size", attribute.or_else(encoder.hidden));
  decoder(c, b, width, is_given(section, "output_hidden_size") ? section.integer("output_hidden_size", width) : width);
  return encoder;
}

BackboneOutput dual_backbone(Config c, Builder& b) {
  const Expr shared = c.integer("projection_dim", 512);
  BackboneOutput vision;
  b.tower(Tower::vision, "vision_model", [&] { vision = nested_auto(c.section("vision_config"), b, "", "vit"); });
  const BackboneOutput text = nested_auto(c.section("text_config"), b, "text_model", "bert");
  b.tower(Tower::projector, "", [&] {
    linear(b, "visual_projection", vision.hidden, shared);
    linear(b, "text_projection", text.hidden, shared);
    b.parameter("logit_scale", {});
  });
  return vision;
}

/// Records RAG: a question encoder and a generator. The section of each may give its model type; the defaults are DPR and BART. DPR's
/// encoder is inside an additional module.
BackboneOutput rag_backbone(Config c, Builder& b) {
  Config questions = c.section("question_encoder"), generator = c.section("generator");
  const Family& asks = family_of_section(questions, b, dpr.model_type);
  nested(questions, b, &asks == &dpr ? "question_encoder.question_encoder" : "question_encoder", asks);
  return nested_with_head(generator, b, "generator", family_of_section(generator, b, "bart"), Head::conditional_generation);
}

constexpr Architecture rag_classes[] = {
    {"RagModel", Head::none, ""}, {"RagSequenceForGeneration", Head::none, "rag"}, {"RagTokenForGeneration", Head::none, "rag"}};
constexpr Architecture text_classes[] = {{"EncoderDecoderModel", Head::none, ""}};
constexpr Architecture vision_classes[] = {{"VisionEncoderDecoderModel", Head::none, ""}};
constexpr Architecture speech_classes[] = {{"SpeechEncoderDecoderModel", Head::none, ""}};
constexpr Architecture dual_classes[] = {{"VisionTextDualEncoderModel", Head::none, ""}};

}  // namespace

extern const Family encoder_decoder{
    .model_type = "encoder-decoder",
    .summary = "Any encoder with any decoder, connected by cross-attention.",
    .classes = {.listed = text_classes},
    .backbone = text_backbone,
};
extern const Family rag{
    .model_type = "rag",
    .summary = "Retrieval-augmented generation: a question encoder and a generator.",
    .classes = {.listed = rag_classes},
    .backbone = rag_backbone,
};
extern const Family speech_encoder_decoder{
    .model_type = "speech-encoder-decoder",
    .summary = "Any speech encoder with any text decoder.",
    .classes = {.listed = speech_classes},
    .backbone = speech_backbone,
};
extern const Family vision_encoder_decoder{
    .model_type = "vision-encoder-decoder",
    .summary = "Any vision encoder with any text decoder.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone,
};
extern const Family vision_text_dual_encoder{
    .model_type = "vision-text-dual-encoder",
    .summary = "Contrastive image-text model like CLIP, with any vision and text encoders.",
    .classes = {.listed = dual_classes},
    .backbone = dual_backbone,
};

}  // namespace param_ledger
