#include "core/nn/heads.hpp"

#include <algorithm>

#include "core/builder/blocks.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

namespace {

/// Whether the key is a plain decimal number. Python's int() also accepts signs, blanks, underscores and leading zeros, so several keys
/// could denote the same label.
bool plain_index(std::string_view key) {
  return !key.empty() && key.find_first_not_of("0123456789") == std::string_view::npos && (key == "0" || key.front() != '0');
}

}  // namespace

Expr num_labels(Config c, std::uint64_t fallback) {
  const Json labels = c.peek("id2label");
  if (!labels || labels.is_null()) return c.integer("num_labels", fallback);
  if (!labels.is(Json::Type::object)) c.refuse(ErrorCode::wrong_type, "id2label", "must be an object of labels.");
  for (const auto& [key, _] : labels.members())
    if (!plain_index(key))
      c.refuse(ErrorCode::out_of_range, "id2label",
               "must have the keys \"0\", \"1\", …, because transformers merges keys that spell the same integer.", Refused::label_keys);
  c.ignore("id2label", "Only its number of entries is used: the default of num_labels.");
  return c.integer("num_labels", c.literal(labels.size()));
}

void two_layer_classifier(Builder& b, Text name, Expr hidden, Expr labels) {
  b.scope(name, [&] {
    const InBlock block(b, {Mechanism::classifier});
    linear(b, "dense", hidden, hidden, true);
    linear(b, "out_proj", hidden, labels, true);
  });
}

void language_model_head(Config c, Builder& b, const BackboneOutput& m) {
  if (!m.embedding) c.ignore("tie_word_embeddings", "transformers never ties the head of this type.");
  language_model_head(b, m, m.embedding && c.flag("tie_word_embeddings", m.tie_by_default));
}

void language_model_head(Builder& b, const BackboneOutput& m, bool tied) {
  const Expr vocabulary = m.vocabulary ? m.vocabulary : b.row(m.embedding).shape.front();
  b.part(Part::output_head, [&] {
    b.scope(TensorRole::head, m.language_model.value_or("lm_head"), [&] {
      if (tied)
        b.tied("weight", m.embedding);
      else
        b.parameter("weight", {vocabulary, m.hidden}, StorageKind::matrix);
      if (m.language_model_bias) b.parameter("bias", {vocabulary});
    });
  });
}

void nested_language_model_head(Config text, Builder& b, const BackboneOutput& m) {
  BackboneOutput named = m;
  named.language_model = "language_model.lm_head";
  language_model_head(b, named, text.flag("tie_word_embeddings", false));
}

void outer_language_model_head(Config c, Builder& b, const BackboneOutput& m, bool outer_tie) {
  if (b.architecture().head == Head::none) return;
  const bool inner = c.section("text_config").flag("tie_word_embeddings", m.tie_by_default, Null::allowed);
  language_model_head(b, m, c.flag("tie_word_embeddings", outer_tie) || inner);
}

void outer_language_model_head(Config c, Builder& b, const BackboneOutput& m) { outer_language_model_head(c, b, m, false); }

void classifier(Config c, Builder& b, Text name, Expr width) {
  const Expr labels = num_labels(c);
  if (labels.decide() == 0) return;
  b.part(Part::output_head, [&] {
    const InBlock block(b, {Mechanism::classifier});
    linear(b, name, width, labels, true);
  });
}

void masked_image_decoder(Config c, Builder& b, Expr width, std::uint64_t default_stride) {
  const Expr stride = c.integer("encoder_stride", default_stride), channels = c.integer("num_channels", 3);
  b.part(Part::output_head, [&] { conv2d(b, "decoder.0", width, power(stride, 2) * channels, 1); });
}

void vision_head(Config c, Builder& b, const BackboneOutput& m) {
  constexpr std::uint64_t usual_stride = 16;
  switch (b.architecture().head) {
    case Head::image_classification:
    case Head::video_classification: classifier(c, b, "classifier", m.hidden); break;
    case Head::masked_image: masked_image_decoder(c, b, m.hidden, usual_stride); break;
    default: break;
  }
}

void decoder_head(Config c, Builder& b, const BackboneOutput& m) {
  b.part(Part::output_head, [&] {
    const Head head = b.architecture().head;
    const bool classifies = head == Head::sequence_classification || head == Head::token_classification;
    const InBlock block(b, {classifies ? Mechanism::classifier : Mechanism::unspecified});
    switch (head) {
      case Head::causal_lm:
      case Head::conditional_generation:
      case Head::double_heads: language_model_head(c, b, m); break;
      case Head::sequence_classification: linear(b, "score", m.hidden, num_labels(c)); break;
      case Head::token_classification: {
        const Text module = m.token_classifier.value_or("score");
        const bool may_lack_bias = module == "score";
        linear(b, module, m.hidden, num_labels(c), !may_lack_bias || c.flag("token_classification_bias", true));
        break;
      }
      case Head::question_answering: linear(b, "qa_outputs", m.hidden, c.literal(2), true); break;
      default: break;
    }
  });
}

}  // namespace param_ledger
