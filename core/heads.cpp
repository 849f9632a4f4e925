#include "core/heads.hpp"

#include "core/layers.hpp"

namespace param_ledger {

std::string backbone_tensor(const Builder& b, std::string_view name) {
  std::string out(b.architecture().backbone);
  if (!out.empty()) out += '.';
  return out.append(name);
}

Expr num_labels(Config& c) {
  const std::optional<std::uint64_t> labels = c.entries("id2label");
  return c.integer("num_labels", labels.value_or(2));
}

namespace {

void language_model_head(Config& c, Builder& b, const DecoderHead& head) {
  const bool tied = c.flag("tie_word_embeddings", head.tie_by_default);
  b.scope(head.language_model, [&] {
    if (tied)
      b.tied("weight", {head.vocabulary, head.hidden}, backbone_tensor(b, std::string(head.embedding) + ".weight"));
    else
      b.parameter("weight", {head.vocabulary, head.hidden});
  });
}

}  // namespace

void decoder_head(Config& c, Builder& b, const DecoderHead& head) {
  b.part(Part::output_head, [&] {
    switch (b.architecture().head) {
      case Head::causal_lm:
      case Head::double_heads: language_model_head(c, b, head); break;
      case Head::sequence_classification: linear(b, "score", head.hidden, num_labels(c)); break;
      case Head::token_classification: {
        const bool may_lack_bias = head.token_classifier == "score";
        linear(b, head.token_classifier, head.hidden, num_labels(c), !may_lack_bias || c.flag("token_classification_bias", true));
        break;
      }
      case Head::question_answering: linear(b, "qa_outputs", head.hidden, c.literal(2), true); break;
      default: break;
    }
  });
}

}  // namespace param_ledger
