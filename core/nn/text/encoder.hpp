#pragma once

#include <optional>
#include <string_view>

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

// What BERT and its many descendants share.

/// Where the norms stand; an empty name: there is none.
struct BertNorms {
  Text embeddings = "LayerNorm";           ///< in `embeddings`
  Text attention = "output.LayerNorm";     ///< in `attention` and `crossattention` of each layer
  Text feed_forward = "output.LayerNorm";  ///< in each layer
  Text last = {};                          ///< in the model
};

/// Embeddings of a width of their own and the projection to the hidden size.
struct BertFactor {
  Text field;                             ///< of the width; empty: it is the hidden size
  std::optional<std::uint64_t> fallback;  ///< its default; none: the hidden size
  Text projection = "embeddings_project";
  bool always = false;  ///< project even from the hidden size to itself
};

/// The head that predicts a token: a dense layer, a norm, and a decoder that is the embedding table unless untied.
struct BertPredictions {
  Text module = "cls.predictions", dense = "transform.dense", norm = "transform.LayerNorm", decoder = "decoder";
  bool two_biases = true;                    ///< the decoder's bias also stands beside the decoder, and is one with it where tied
  std::optional<std::uint64_t> own_width{};  ///< default of output_embedding_size: never tied
  Null null_unties = Null::refused;          ///< of a type that does not declare tie_word_embeddings
};

/// Which classes have the pooler, a dense layer on the first token's state.
enum class Pooler : std::uint8_t {
  where_read,  ///< `pooler.dense`, in the bare model and where a head reads it
  nearly_all,  ///< `pooler`, in all but question answering
  everywhere,  ///< `pooler.dense`, in all
  sequences,   ///< `pooler.dense`, where sequences are classified
  none,
};

/// What a layer calls the projections in `attention`.
struct BertAttentionNames {
  Text q = "self.query", k = "self.key", v = "self.value", o = "output.dense";
};

struct BertSizes;

/// A type with BERT's tensors: what it says of its own.
struct BertType {
  DecoderDefaults sizes = {};
  std::uint64_t positions = 512;
  std::optional<std::uint64_t> token_types = 2;  ///< none: the type has no segments
  BertNorms norms = {};
  BertFactor factor = {};
  BertPredictions predictions = {};
  Pooler pooler = Pooler::where_read;
  bool dense_classifier = false;          ///< sequences are classified by two layers of the head's, not by pooler and one layer
  bool rotary = false;                    ///< positions are a table of sinusoids, one head wide, that turns queries and keys
  bool bias_switch = false;               ///< use_bias says whether query, key and value have biases
  bool two_spans = false;                 ///< question answering has 2 labels whatever num_labels says
  bool scaled_by_head_dim = true;         ///< as Attention has it
  bool decodes = true;                    ///< it may be a decoder, with add_cross_attention
  bool dense_choice = false;              ///< multiple choice has a layer `pre_classifier` before the last
  std::uint64_t positions_kept_free = 0;  ///< rows before the first position
  BertAttentionNames attention = {};
  /// Records what the model has beside: tables in `embeddings`, what stands in each `encoder.layer`.
  void (*more)(Config c, Builder& b, const BertSizes& s) = nullptr;
};

/// What a type says of its size.
struct BertSizes {
  Expr d, e, f, n_layers, vocab, n, positions;  ///< e: width of the embeddings
  std::optional<Expr> types;
  bool cross_attention, qkv_bias;
  Expr memory = {};          ///< width of what cross-attention reads, where it is not `d`
  bool reads_image = false;  ///< an encoder that attends to an image, as BLIP's
  Expr fusion = {};          ///< the first layer with cross-attention; empty: all have it
};

/// Reads hidden_size, intermediate_size, num_hidden_layers, vocab_size, num_attention_heads, max_position_embeddings,
/// type_vocab_size and add_cross_attention.
BertSizes bert_sizes(Config c, const BertType& type);

/// `embeddings.word_embeddings`, position_embeddings, token_type_embeddings, LayerNorm, and the projection. Returns the first.
Tensor bert_embeddings(Builder& b, const BertSizes& s, const BertType& type);

/// `encoder.layer.[0-11].attention.self.query` …, with cross-attention where add_cross_attention says so; the last norm.
void bert_layers(Builder& b, const BertSizes& s, const BertType& type);

/// What one of these layers holds.
void bert_layer(Builder& b, const BertSizes& s, const BertType& type);

/// The same layers under another name, without the last norm.
void bert_layers_in(Builder& b, Text name, const BertSizes& s, const BertType& type);

/// The pooler, where the class that is counted has one.
void bert_pooler(Builder& b, Expr hidden, const BertType& type);

/// All of it.
BackboneOutput bert_backbone(Config c, Builder& b, const BertType& type);

/// The heads of BERT's classes: predictions, classifier, qa_outputs, …
void bert_head(Config c, Builder& b, const BackboneOutput& m, const BertType& type);

template <const BertType& type>
BackboneOutput bert_of_type(Config c, Builder& b) {
  return bert_backbone(c, b, type);
}

template <const BertType& type>
void bert_head_of_type(Config c, Builder& b, const BackboneOutput& backbone) {
  bert_head(c, b, backbone, type);
}

/// A row of a table of such types as a family.
template <const BertType& type>
constexpr Family bert_family(Text model_type, Text summary, Classes classes, Cache cache = {}) {
  return {.model_type = model_type,
          .summary = summary,
          .classes = classes,
          .backbone = bert_of_type<type>,
          .head = bert_head_of_type<type>,
          .cache = cache};
}

}  // namespace param_ledger
