#pragma once

#include <optional>
#include <string_view>

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

// The blocks shared by BERT and the many models derived from it.

/// The names of the norms in BERT-like models. If a name is empty, the model has no such norm. `feed_forward` must not be empty.
struct BertNorms {
  Text embeddings = "LayerNorm";           ///< name of the norm in `embeddings`
  Text attention = "output.LayerNorm";     ///< name of the norm in `attention` and `crossattention` of each layer
  Text feed_forward = "output.LayerNorm";  ///< name of the norm after the feed-forward block of each layer (before it with pre-norm)
  Text last = {};                          ///< name of the norm after the last layer; if there is one, the layers are pre-norm
};

/// Factorized embeddings: a table whose width is a separate field, and a projection to the hidden size.
struct BertFactor {
  Text field;                             ///< the field that gives the width of the table; empty: embeddings are not factorized
  std::optional<std::uint64_t> fallback;  ///< the default width of the table; if not set, the hidden size
  Text projection = "embeddings_project";
  bool always = false;  ///< whether there is a projection even if both widths are equal
};

/// The token prediction head: a dense layer and a norm (unless `dense` is empty), and a decoder that is tied to the embedding table by
/// default.
struct BertPredictions {
  Text module = "cls.predictions", dense = "transform.dense", norm = "transform.LayerNorm", decoder = "decoder";
  bool two_biases = true;                    ///< whether the decoder's bias is also stored directly in `module`, tied by default
  std::optional<std::uint64_t> own_width{};  ///< default of output_embedding_size; if there is one, the decoder is never tied
  Null null_unties = Null::refused;          ///< whether tie_word_embeddings may be null, which then means that the decoder is not tied
};

/// Which classes have the pooler, a dense layer on the first token's hidden state.
enum class Pooler : std::uint8_t {
  where_read,  ///< `pooler.dense`, in the bare model and in classes whose head uses the pooler
  nearly_all,  ///< a module `pooler`, in all classes except question answering
  everywhere,  ///< `pooler.dense`, in all classes
  sequences,   ///< `pooler.dense`, in sequence classification
  none,
};

/// The names of the projections in `attention` and `crossattention`.
struct BertAttentionNames {
  Text q = "self.query", k = "self.key", v = "self.value", o = "output.dense";
};

struct BertSizes;

/// How a model type differs from others with BERT's structure.
struct BertType {
  DecoderDefaults sizes = {};
  std::uint64_t positions = 512;
  std::optional<std::uint64_t> token_types = 2;  ///< default of type_vocab_size; not set: there are no token types
  BertNorms norms = {};
  BertFactor factor = {};
  BertPredictions predictions = {};
  Pooler pooler = Pooler::where_read;
  bool dense_classifier = false;          ///< whether sequence classification has a two-layer head instead of the pooler and one layer
  bool rotary = false;                    ///< whether it uses RoPE; the position table then holds sinusoids as wide as one head
  bool bias_switch = false;               ///< whether the field use_bias determines if query, key and value have biases
  bool two_spans = false;                 ///< whether question answering has 2 outputs regardless of num_labels
  bool scaled_by_head_dim = true;         ///< whether the head dimension must not be 0: see Attention::scaled_by_head_dim
  bool decodes = true;                    ///< whether the type can be a decoder, and has the field add_cross_attention
  bool dense_choice = false;              ///< whether multiple choice has a layer `pre_classifier` before the classifier
  std::uint64_t positions_kept_free = 0;  ///< number of rows in the position table before the first position
  BertAttentionNames attention = {};
  /// Records additional tensors of the model, after its layers and before the pooler. Null: there are none.
  void (*more)(Config c, Builder& b, const BertSizes& s) = nullptr;
};

/// The sizes of a model with BERT's structure.
struct BertSizes {
  Expr d, e, f, n_layers, vocab, n, positions;  ///< e: width of the embeddings
  std::optional<Expr> types;
  bool cross_attention, qkv_bias;
  Expr memory = {};          ///< width of the hidden states that cross-attention reads, if it differs from `d`
  bool reads_image = false;  ///< whether the encoder attends to an image, as BLIP's does
  Expr fusion = {};          ///< if there is cross-attention, the first layer that has it; empty: all layers have it
};

/// Reads hidden_size, intermediate_size, num_hidden_layers, vocab_size, num_attention_heads, max_position_embeddings and, if the type has
/// them, the width of factorized embeddings, type_vocab_size, use_bias and the fields of cross-attention.
BertSizes bert_sizes(Config c, const BertType& type);

/// Records `embeddings.word_embeddings` and, if the model has them, position_embeddings, token_type_embeddings, a norm and the projection
/// of factorized embeddings. Returns the word embeddings.
Tensor bert_embeddings(Builder& b, const BertSizes& s, const BertType& type);

/// Records the layers, e.g. `encoder.layer.[0-11].attention.self.query`, with cross-attention if `s` asks for it, and the norm after the
/// last layer, if the type has one.
void bert_layers(Builder& b, const BertSizes& s, const BertType& type);

/// Records the tensors of one layer with BERT's structure.
void bert_layer(Builder& b, const BertSizes& s, const BertType& type);

/// Records the layers as `name` instead of `encoder.layer`, without the norm after the last one.
void bert_layers_in(Builder& b, Text name, const BertSizes& s, const BertType& type);

/// Records the pooler, if the counted class has one.
void bert_pooler(Builder& b, Expr hidden, const BertType& type);

/// Records a model with BERT's structure, without its head.
BackboneOutput bert_backbone(Config c, Builder& b, const BertType& type);

/// Records the head of the counted class, if any: predictions, classifier, qa_outputs, …
void bert_head(Config c, Builder& b, const BackboneOutput& m, const BertType& type);

template <const BertType& type>
BackboneOutput bert_of_type(Config c, Builder& b) {
  return bert_backbone(c, b, type);
}

template <const BertType& type>
void bert_head_of_type(Config c, Builder& b, const BackboneOutput& backbone) {
  bert_head(c, b, backbone, type);
}

/// The Family of a model type with BERT's structure.
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
