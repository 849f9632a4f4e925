// BLIP: a vision transformer and one or two BERTs, which by default have cross-attention to the image. Depending on the class, the model
// generates text or compares texts with images.
// Source: transformers, models/blip.

#include "core/nn/text/encoder.hpp"
#include "core/nn/vision/qformer.hpp"

namespace param_ledger {

namespace {

constexpr BlipVision vision{.sizes = {768, 3072, 12, 12, 384, 16}, .bias_switch = false};
constexpr BertType type{.sizes = {768, 3072, 12, 30524, 8}, .token_types = {}};
constexpr Architecture writer{"", Head::causal_lm, "bert"};

BertSizes text_sizes(Config c, Expr memory) {
  const DecoderSizes s = decoder_sizes(c, type.sizes);
  return {.d = s.d,
          .e = s.d,
          .f = s.f,
          .n_layers = s.n_layers,
          .vocab = s.vocab,
          .n = s.n,
          .positions = c.integer("max_position_embeddings", type.positions),
          .types = {},
          .cross_attention = c.flag("is_decoder", true),
          .qkv_bias = true,
          .memory = memory};
}

BackboneOutput backbone(Config c, Builder& b) {
  const Head head = b.architecture().head;
  Config section = c.section("vision_config"), text = c.section("text_config");
  section.consume("model_type");
  BackboneOutput seen;
  b.tower(Tower::vision, "vision_model", [&] { seen = blip_vision(section, b, vision); });
  text.consume("model_type");
  text.ignore("encoder_hidden_size", "The vision model's width is used.");
  const BertSizes s = text_sizes(text, seen.hidden);
  const auto text_model = [&](Text name) {
    Tensor words;
    b.scope(name, [&] {
      words = bert_embeddings(b, s, type);
      bert_layers(b, s, type);
    });
    return words;
  };
  if (head == Head::none) {
    text_model("text_model");
    const Expr shared = c.integer("projection_dim", 512);
    b.scope("text_model", [&] { bert_pooler(b, s.d, type); });
    b.tower(Tower::projector, "", [&] {
      linear(b, "visual_projection", seen.hidden, shared);
      linear(b, "text_projection", s.d, shared);
      b.parameter("logit_scale", {});
    });
  }
  if (head == Head::question_answering || head == Head::other) text_model("text_encoder");
  if (head == Head::other) {
    const Expr shared = c.integer("image_text_hidden_size", 256);
    b.part(Part::output_head, [&] {
      linear(b, "vision_proj", seen.hidden, shared, true);
      linear(b, "text_proj", s.d, shared, true);
      linear(b, "itm_head", s.d, c.literal(2), true);
    });
  }
  if (head == Head::none || head == Head::other) return {.hidden = s.d};
  return {.hidden = s.d, .embedding = text_model("text_decoder.bert"), .tie_by_default = true};
}

/// Records the head. It is untied only if tie_word_embeddings is false both at the top level and in text_config.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (!m.embedding) return;
  Config text = c.section("text_config");
  const bool tied = c.flag("tie_word_embeddings", true), tied_text = text.flag("tie_word_embeddings", true);
  b.scope("text_decoder", [&] { b.as(writer, [&] { bert_head(tied_text ? text : tied ? c : text, b, m, type); }); });
}

constexpr Architecture retrieval[] = {{"BlipForImageTextRetrieval", Head::other, ""}};

BackboneOutput vision_backbone(Config c, Builder& b) { return blip_vision(c, b, vision); }

/// Records the text model on its own. encoder_hidden_size is the width of the hidden states that cross-attention reads.
BackboneOutput text_backbone(Config c, Builder& b) {
  const BertSizes s = text_sizes(c, c.integer("encoder_hidden_size", 768));
  const Tensor words = bert_embeddings(b, s, type);
  bert_layers(b, s, type);
  if (b.architecture().head == Head::none) bert_pooler(b, s.d, type);
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}

constexpr Architecture text_classes[] = {{"BlipTextModel", Head::none, ""}, {"BlipTextLMHeadModel", Head::causal_lm, "bert"}};

}  // namespace

extern const Family blip{
    .model_type = "blip",
    .summary = "Image captioning and visual question answering: a ViT and BERT with cross-attention.",
    .classes = {"Blip", heads::conditional | heads::base | heads::question, "", {}, retrieval},
    .backbone = backbone,
    .head = head,
};
extern const Family blip_text_model{
    .model_type = "blip_text_model",
    .summary = "Text encoder of BLIP.",
    .classes = {.listed = text_classes},
    .backbone = text_backbone,
    .head = bert_head_of_type<type>,
};
extern const Family blip_vision_model{
    .model_type = "blip_vision_model",
    .summary = "Vision encoder of BLIP.",
    .classes = {"BlipVision", heads::base, ""},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
