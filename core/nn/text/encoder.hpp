#pragma once

#include <optional>
#include <string_view>

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

// The blocks shared by BERT and its many descendants.

/// The names of the norms in BERT-like models; an empty name: no norm.
struct BertNorms {
  Text embeddings = "LayerNorm";           ///< the norm in `embeddings`
  Text attention = "output.LayerNorm";     ///< the norm in `attention` and `crossattention` of each layer
  Text feed_forward = "output.LayerNorm";  ///< the norm after the feed-forward block of each layer, or before it with pre-norm
  Text last = {};                          ///< the norm after the last layer
};

/// Factorized embeddings: a narrower table and a projection to the hidden size.
struct BertFactor {
  Text field;                             ///< the field with the width of the table; empty: embeddings are not factorized
  std::optional<std::uint64_t> fallback;  ///< the default width of the table; none: the hidden size
  Text projection = "embeddings_project";
  bool always = false;  ///< there is a projection even if both widths are equal
};

/// The masked-token head: a dense layer, a norm, and a decoder that is tied to the embedding table by default.
struct BertPredictions {
  Text module = "cls.predictions", dense = "transform.dense", norm = "transform.LayerNorm", decoder = "decoder";
  bool two_biases = true;                    ///< the decoder's bias is also stored directly in `module`, tied by default
  std::optional<std::uint64_t> own_width{};  ///< default of output_embedding_size; if it is set, the decoder is never tied
  Null null_unties = Null::refused;          ///< whether tie_word_embeddings may be null, which then means untied
};

/// Which classes have the pooler, a dense layer on the first token.
enum class Pooler : std::uint8_t {
  where_read,  ///< `pooler.dense`, in the bare model and in classes with a head that uses it
  nearly_all,  ///< `pooler`, in all classes except question answering
  everywhere,  ///< `pooler.dense`, in all classes
  sequences,   ///< `pooler.dense`, in sequence classification
  none,
};

/// The names of the projections in `attention`.
struct BertAttentionNames {
  Text q = "self.query", k = "self.key", v = "self.value", o = "output.dense";
};

struct BertSizes;

/// What distinguishes a type from others with BERT's structure.
struct BertType {
  DecoderDefaults sizes = {};
  std::uint64_t positions = 512;
  std::optional<std::uint64_t> token_types = 2;  ///< default of type_vocab_size; none: there are no token types
  BertNorms norms = {};
  BertFactor factor = {};
  BertPredictions predictions = {};
  Pooler pooler = Pooler::where_read;
  bool dense_classifier = false;          ///< sequence classification has a two-layer head instead of the pooler and one layer
  bool rotary = false;                    ///< RoPE: the position table holds sinusoids of one head's width
  bool bias_switch = false;               ///< the field use_bias says whether query, key and value have biases
  bool two_spans = false;                 ///< question answering has 2 outputs, whatever num_labels is
  bool scaled_by_head_dim = true;         ///< see Attention::scaled_by_head_dim
  bool decodes = true;                    ///< the type can be a decoder and has the field add_cross_attention
  bool dense_choice = false;              ///< multiple choice has a layer `pre_classifier` before the classifier
  std::uint64_t positions_kept_free = 0;  ///< rows of the position table that precede the first position
  BertAttentionNames attention = {};
  /// Records further tensors of the model: tables in `embeddings`, modules in `encoder.layer`.
  void (*more)(Config c, Builder& b, const BertSizes& s) = nullptr;
};

/// The sizes of a model with BERT's structure.
struct BertSizes {
  Expr d, e, f, n_layers, vocab, n, positions;  ///< e: embedding width
  std::optional<Expr> types;
  bool cross_attention, qkv_bias;
  Expr memory = {};          ///< width of cross-attention's input, if it is not `d`
  bool reads_image = false;  ///< whether the encoder attends to an image, as BLIP's does
  Expr fusion = {};          ///< the first layer with cross-attention; empty: all have it
};

/// Reads hidden_size, intermediate_size, num_hidden_layers, vocab_size, num_attention_heads, max_position_embeddings,
/// type_vocab_size and add_cross_attention.
BertSizes bert_sizes(Config c, const BertType& type);

/// Records `embeddings.word_embeddings`, position_embeddings, token_type_embeddings, LayerNorm and the projection. Returns the word
/// embeddings.
Tensor bert_embeddings(Builder& b, const BertSizes& s, const BertType& type);

/// Records `encoder.layer.[0-11].attention.self.query` …, with cross-attention if add_cross_attention is true, and the final norm.
void bert_layers(Builder& b, const BertSizes& s, const BertType& type);

/// Records the tensors of one layer.
void bert_layer(Builder& b, const BertSizes& s, const BertType& type);

/// Records the layers as `name` instead of `encoder.layer`, without the final norm.
void bert_layers_in(Builder& b, Text name, const BertSizes& s, const BertType& type);

/// Records the pooler, if the counted class has one.
void bert_pooler(Builder& b, Expr hidden, const BertType& type);

/// Records the whole backbone.
BackboneOutput bert_backbone(Config c, Builder& b, const BertType& type);

/// Records the head of the counted class: predictions, classifier, qa_outputs, …
void bert_head(Config c, Builder& b, const BackboneOutput& m, const BertType& type);

template <const BertType& type>
BackboneOutput bert_of_type(Config c, Builder& b) {
  return bert_backbone(c, b, type);
}

template <const BertType& type>
void bert_head_of_type(Config c, Builder& b, const BackboneOutput& backbone) {
  bert_head(c, b, backbone, type);
}

/// The Family of a type with BERT's structure.
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
