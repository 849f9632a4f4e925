#pragma once

#include <string_view>

#include "core/decoders.hpp"
#include "core/family.hpp"
#include "core/layers.hpp"

namespace param_ledger {

// What BERT and its many descendants share.

/// What these types say of their size.
struct BertSizes {
  Expr d, f, n_layers, vocab, n, positions, types;
};

/// Reads hidden_size, intermediate_size, num_hidden_layers, vocab_size, num_attention_heads, max_position_embeddings and
/// type_vocab_size.
BertSizes bert_sizes(Config c, const DecoderDefaults& defaults, std::uint64_t positions = 512, std::uint64_t types = 2);

/// `embeddings.word_embeddings`, position_embeddings, token_type_embeddings, LayerNorm. Returns the first.
Tensor bert_embeddings(Config c, Builder& b, const BertSizes& s);

/// `name.[0-11].attention.self.query` …, with cross-attention where add_cross_attention says so. Post-norm.
void bert_layers(Config c, Builder& b, std::string_view name, const BertSizes& s);

/// The classes that read the first token's state have the pooler for it.
bool has_pooler(Head head);

/// The heads of BERT's classes: predictions under `backbone.language_model` ("cls.predictions"), classifier, qa_outputs, …
void bert_head(Config c, Builder& b, const Backbone& backbone);

}  // namespace param_ledger
