// VisualBERT: as BERT, with what a detector saw in an image behind the words.
// Source: transformers, models/visual_bert.

#include "core/blocks/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType plain{.sizes = {768, 3072, 12, 30522, 12}, .scaled_by_head_dim = false, .decodes = false};

void image(Config c, Builder& b, const BertSizes& s) {
  const Expr width = c.integer("visual_embedding_dim", 512);
  b.scope(Part::embedding, "embeddings", [&] {
    embedding(b, "visual_token_type_embeddings", *s.types, s.d);
    embedding(b, "visual_position_embeddings", s.positions, s.d);
    linear(b, "visual_projection", width, s.d, true);
  });
  if (c.flag("bypass_transformer", false)) b.scope("additional_layer", [&] { bert_layer(b, s, plain); });
}

constexpr BertType type{.sizes = plain.sizes, .pooler = Pooler::everywhere, .scaled_by_head_dim = false, .decodes = false, .more = image};

}  // namespace

extern const Family visual_bert = bert_family<type>("visual_bert", "As BERT, with what a detector saw in an image.",
                                                    {"VisualBert", heads::base | heads::pretraining, "visual_bert"});

}  // namespace param_ledger
