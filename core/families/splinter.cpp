// Splinter: like BERT, without a pooler. The answer span is predicted from a special question token. Source: transformers, models/splinter.

#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 30522, 12}, .pooler = Pooler::none, .decodes = false};

void head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  b.scope(Part::output_head, "splinter_qass", [&] {
    for (const Text name : {"query_start_transform", "query_end_transform", "start_transform", "end_transform"})
      b.scope(name, [&] {
        linear(b, "dense", m.hidden, m.hidden, true);
        layer_norm(b, "LayerNorm", m.hidden);
      });
    for (const Text name : {"start_classifier", "end_classifier"}) linear(b, name, m.hidden, m.hidden);
  });
}

}  // namespace

extern const Family splinter{
    .model_type = "splinter",
    .summary = "Extractive question answering: BERT with a question token that selects the span.",
    .classes = {"Splinter", heads::base | heads::question | heads::pretraining, "splinter"},
    .backbone = bert_of_type<type>,
    .head = head,
};

}  // namespace param_ledger
