#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/blocks.hpp"
#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

// The caches and multiplications of a model during generation, besides its weights. Blocks record them as they record tensors, if a
// question asks for them. Caches follow transformers (cache_utils.py) and are checked for 1 to 40,000 tokens.

/// How many entries a cache holds after n tokens.
struct Extent {
  enum class Kind : std::uint8_t {
    tokens,    ///< one per token, plus `by`
    window,    ///< one per token, at most `by`
    quotient,  ///< one for every `by` tokens
    rest,      ///< the tokens left over from `quotient`
    started,   ///< `by`, once there are that many tokens
    fixed,     ///< always one
  };
  Kind kind = Kind::tokens;
  Count by = 0;

  [[nodiscard]] Count at(Count tokens) const;
};

/// A tensor that is kept for each sequence, and its number of copies.
struct CacheRow {
  std::string name;         ///< with index ranges: model.layers.[0-31].self_attn.keys
  std::vector<Expr> shape;  ///< without the batch; an empty dimension stands for the number of entries
  std::vector<Expr> repeats;
  Extent extent;
  bool float32 = false;  ///< kept in 32 bits, regardless of the model's dtype
  Expr entry = {};       ///< elements of one entry, over all copies
  Expr elements = {};    ///< elements of one copy with all entries
  Expr total = {};       ///< elements of all copies

  /// Elements of all copies after that many tokens.
  [[nodiscard]] Count at(Count tokens) const;
};

/// A product of two activations: the multiplications of attention for each pair of a query and a key.
struct PairRow {
  std::string name;
  Expr width;  ///< multiply-adds per pair, in one copy
  std::vector<Expr> repeats;
  Extent extent;           ///< the cached keys that the next token attends to, excluding its own
  bool next_only = false;  ///< recomputed for each cached entry at the next token; for a prompt, counted with the matrices
};

/// The whole model or a nested one.
struct Submodel {
  std::string prefix;  ///< the common prefix of its tensor names
  Text model_type;     ///< empty if it has no type of its own
};

/// Everything that is recorded about inference, for one context length.
struct Inference {
  std::vector<Submodel> models;  ///< outermost first, including towers
  bool ties_by_default = false;  ///< the default of tie_word_embeddings
  Expr tokens = {};              ///< tokens in the context, as a named value
  Count source = 0;              ///< tokens that a text encoder reads
  bool reads_source = false;     ///< a decoder attends to an encoder's output
  std::vector<CacheRow> cache;
  std::vector<PairRow> pairs;
  std::vector<BlockRows> blocks;  ///< inner ones before those that contain them
  // Multiply-adds over all copies:
  Count state_macs_per_token = 0;  ///< with recurrent states or states of earlier layers
  Count extra_macs_per_token = 0;  ///< with weights that are used more than once per token
  Count skipped_macs = 0;          ///< with weights that a token does not use
  Count macs_per_prompt = 0;       ///< with weights that are used once per prompt, whatever its length
  bool chunks = false;             ///< transformers processes the recurrence of a prompt in chunks
  std::string unknown = {};        ///< why the cache is not known; empty: it is known
  Text uncomputed = {};            ///< why the operations are not known; empty: they are
  bool generates = true;           ///< false: the model keeps nothing
  bool settled = false;            ///< a nested model has settled its cache
  const Family* family = nullptr;  ///< of the outermost model
};

/// Records a cached tensor `name` in the current layer. An empty dimension of the shape stands for the number of entries; a shape without
/// one does not depend on the number of tokens. Does nothing unless inference is recorded, and neither do the functions below.
void record_cache(Builder& b, Text name, std::initializer_list<Expr> shape, Extent extent = {}, bool float32 = false);

/// The sizes of an attention block that determine its cache and multiplications.
struct AttentionSizes {
  Expr heads;
  Expr kv_heads;
  Expr key_dim;
  Expr value_dim = {};  ///< empty: key_dim
  Expr prompt = {};     ///< learned entries that precede the tokens
  Expr cached = {};     ///< the heads that are cached; empty: kv_heads
};
/// Records the cached keys and values and their products with the queries.
void record_attention(Builder& b, const AttentionSizes& a);
/// Records such products without a cache.
void record_pair_products(Builder& b, Expr width, Extent extent = {}, bool next_only = false);
/// Each token uses weights of that many elements one more time, or not at all.
void record_extra_macs(Builder& b, Expr elements);
void record_skipped_macs(Builder& b, Expr elements);
/// A prompt uses weights of that many elements once, whatever its length.
void record_prompt_macs(Builder& b, Expr elements);

/// The number of tokens that a text encoder reads; empty unless inference is recorded.
Expr source_tokens(Builder& b);
/// Attention to an encoder's output of that length. Keys and values are projected once and kept.
void record_cross_attention(Builder& b, const AttentionSizes& a, Expr encoder_length, Expr projections);
/// Marks everything recorded after those positions as an encoder, which runs once over `tokens` tokens and keeps nothing.
void finish_encoder(Builder& b, Expr tokens, std::size_t first_row, std::size_t first, std::size_t first_pair);
/// Whether each token multiplies the row's weights: matrices, and kernels of convolutions along the text.
bool is_multiplied(const Row& row);

/// Records an encoder, which runs once over `tokens` tokens.
template <class Record>
void record_encoder(Builder& b, Expr tokens, const Record& record) {
  const Inference* const to = b.inference();
  const std::size_t first_row = b.rows().size();
  const std::size_t first = to != nullptr ? to->cache.size() : 0, first_pair = to != nullptr ? to->pairs.size() : 0;
  b.owned_by(Owner::encoder, record);
  if (to != nullptr) finish_encoder(b, tokens, first_row, first, first_pair);
}

/// How transformers processes a prompt in a recurrence.
enum class Prompt : std::uint8_t { by_token, in_chunks };
/// Adds that many products with recurrent states per token, as transformers computes the next token, in matrices or sums.
void record_recurrence(Builder& b, Expr products, Prompt prompt);
/// Records the cached inputs of a convolution and a recurrent state in 32 bits, which each token multiplies `times` times.
void record_states(Builder& b, std::initializer_list<Expr> convolution, std::initializer_list<Expr> recurrence, Count times, Prompt prompt);

/// A row's shape with its number of entries.
std::vector<Expr> dimensions(const CacheRow& row, Expr tokens);

/// The number of tokens in the context, as a named value.
Expr named_tokens(Pool& pool, Count tokens);

/// Determines which rows recorded since `first` and `first_pair` have a sliding window, as transformers' DynamicCache reads it from the
/// configuration, or why the cache is not known. A nested model without its own type follows the outermost model's family.
void finish_cache(Config c, Builder& b, const Family& family, std::size_t first, std::size_t first_pair);

/// Marks the beginning of a model of that family.
void begin_model(Builder& b, const Family& family);

/// Calls `record` and settles the cache of what it records.
template <class Record>
void record_with_cache(Config c, Builder& b, const Family& family, const Record& record) {
  const Inference* const to = b.inference();
  const std::size_t first = to != nullptr ? to->cache.size() : 0, first_pair = to != nullptr ? to->pairs.size() : 0;
  begin_model(b, family);
  record();
  if (to != nullptr) finish_cache(c, b, family, first, first_pair);
}

}  // namespace param_ledger
