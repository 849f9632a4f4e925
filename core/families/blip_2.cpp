// BLIP-2: a vision transformer, a Q-Former with cross-attention to the image and, in most classes, a text model of any type. InstructBLIP:
// the Q-Former also reads the instruction.
// Source: transformers, models/blip_2, instructblip, instructblipvideo.

#include "core/nn/nested.hpp"
#include "core/nn/vision/qformer.hpp"
#include "core/registry/registry.hpp"

namespace param_ledger {

namespace {

constexpr BlipVision vision{{1408, 6144, 39, 16, 224, 14}};

/// Records `language_model` with the head of a decoder or of an encoder-decoder, or without a head if `bare`.
BackboneOutput text_model(Config section, Builder& b, bool bare) {
  if (bare) return nested_auto(section, b, "language_model", "opt");
  const Family& family = family_of_section(section, b, "opt");
  const Head head = class_with(family, Head::causal_lm) ? Head::causal_lm : Head::conditional_generation;
  return nested_with_head(section, b, "language_model", family, head);
}

/// The text model's width. For OPT the width is read from text_config, because OPT's output may have another width.
Expr text_width(Config section, Builder& b, const BackboneOutput& text) {
  return family_of_section(section, b, "opt").model_type == "opt" ? section.integer("hidden_size", 768) : text.hidden;
}

template <bool instructed>
BackboneOutput backbone(Config c, Builder& b) {
  const Head head = b.architecture().head;
  Config vision_section = c.section("vision_config"), asking = c.section("qformer_config");
  vision_section.consume("model_type");
  asking.consume("model_type");
  BackboneOutput seen{.hidden = vision_section.integer("hidden_size", 1408)};
  const bool reads = head == Head::other || head == Head::encoder, sees = head != Head::encoder;
  if (sees) b.tower(Tower::vision, "vision_model", [&] { seen = blip_vision(vision_section, b, vision); });
  const bool text = instructed || asking.flag("use_qformer_text_input", false);
  const QFormer q = qformer_fields(asking, seen.hidden, text);
  const Expr queries = c.integer("num_query_tokens", 32);
  b.tower(Tower::projector, "", [&] {
    tokens(b, "query_tokens", queries, q.hidden);
    b.scope(instructed ? "qformer.embeddings" : "embeddings", [&] {
      if (!instructed && !reads) return;
      embedding(b, "word_embeddings", q.vocab, q.hidden, TensorRole::token_embedding);
      embedding(b, "position_embeddings", q.positions, q.hidden, TensorRole::position_embedding);
    });
    b.scope("qformer", [&] {
      layer_norm(b, instructed ? "embeddings.layernorm" : "layernorm", q.hidden);
      qformer_layers(b, q);
    });
  });
  if (reads || head == Head::image_classification) return {.hidden = q.hidden};
  Config section = c.section("text_config");
  const BackboneOutput out = text_model(section, b, instructed && head == Head::none);
  const Expr width = text_width(section, b, out);
  b.tower(Tower::projector, "", [&] { linear(b, "language_projection", q.hidden, width, true); });
  return out;
}

/// Records the projections of Blip2ForImageTextRetrieval and of the two classes …ModelWithProjection, and the retrieval class's head that
/// predicts whether image and text match.
void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head head = b.architecture().head;
  if (head != Head::other && head != Head::encoder && head != Head::image_classification) return;
  const Expr shared = c.integer("image_text_hidden_size", 256);
  b.part(Part::output_head, [&] {
    if (head != Head::encoder) linear(b, "vision_projection", m.hidden, shared, true);
    if (head != Head::image_classification) linear(b, "text_projection", m.hidden, shared, true);
    if (head == Head::other) linear(b, "itm_head", m.hidden, c.literal(2), true);
  });
}

BackboneOutput qformer_backbone(Config c, Builder& b) {
  const QFormer m = qformer_fields(c, {}, c.flag("use_qformer_text_input", false));
  layer_norm(b, "layernorm", m.hidden);
  qformer_layers(b, m);
  return {.hidden = m.hidden};
}

BackboneOutput vision_backbone(Config c, Builder& b) { return blip_vision(c, b, vision); }

/// Records InstructBLIP's Q-Former, which reads text in addition to the queries.
BackboneOutput reading_qformer(Config c, Builder& b) {
  const QFormer q = qformer_fields(c, {}, true);
  b.scope("embeddings", [&] {
    embedding(b, "word_embeddings", q.vocab, q.hidden, TensorRole::token_embedding);
    embedding(b, "position_embeddings", q.positions, q.hidden, TensorRole::position_embedding);
    layer_norm(b, "layernorm", q.hidden);
  });
  qformer_layers(b, q);
  return {.hidden = q.hidden};
}

constexpr Architecture projected[] = {{"Blip2ForImageTextRetrieval", Head::other, ""},
                                      {"Blip2TextModelWithProjection", Head::encoder, ""},
                                      {"Blip2VisionModelWithProjection", Head::image_classification, ""}};
constexpr Architecture qformer_classes[] = {{"Blip2QFormerModel", Head::none, ""}};
constexpr unsigned classes = heads::conditional | heads::base;

}  // namespace

extern const Family blip_2{
    .model_type = "blip-2",
    .summary = "Vision-language model: a ViT and any language model, connected by a Q-Former.",
    .classes = {"Blip2", classes, "", {}, projected},
    .backbone = backbone<false>,
    .head = head,
};
extern const Family blip_2_qformer{
    .model_type = "blip_2_qformer",
    .summary = "Q-Former of BLIP-2: learned queries with cross-attention to image features.",
    .classes = {.listed = qformer_classes},
    .backbone = qformer_backbone,
};
extern const Family instructblip{
    .model_type = "instructblip",
    .summary = "Like BLIP-2, with a Q-Former that also reads the instruction.",
    .classes = {"InstructBlip", classes, ""},
    .backbone = backbone<true>,
    .head = head,
};
extern const Family instructblipvideo{
    .model_type = "instructblipvideo",
    .summary = "Like InstructBLIP, for video.",
    .classes = {"InstructBlipVideo", classes, ""},
    .backbone = backbone<true>,
    .head = head,
};
extern const Family blip_2_vision_model{
    .model_type = "blip_2_vision_model",
    .summary = "Vision encoder of BLIP-2.",
    .classes = {"Blip2Vision", heads::base, ""},
    .backbone = vision_backbone,
};
extern const Family instructblip_qformer{
    .model_type = "instructblip_qformer",
    .summary = "Q-Former of InstructBLIP.",
    .classes = {"InstructBlipQFormer", heads::base, ""},
    .backbone = reading_qformer,
};
extern const Family instructblip_vision_model{
    .model_type = "instructblip_vision_model",
    .summary = "Vision encoder of InstructBLIP.",
    .classes = {"InstructBlipVision", heads::base, ""},
    .backbone = vision_backbone,
};
extern const Family instructblipvideo_qformer{
    .model_type = "instructblipvideo_qformer",
    .summary = "Q-Former of InstructBLIP for video.",
    .classes = {"InstructBlipVideoQFormer", heads::base, ""},
    .backbone = reading_qformer,
};
extern const Family instructblipvideo_vision_model{
    .model_type = "instructblipvideo_vision_model",
    .summary = "Vision encoder of InstructBLIP for video.",
    .classes = {"InstructBlipVideoVision", heads::base, ""},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
