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

// What a model keeps and multiplies beside its weights while it generates: blocks record it as they record tensors, where a
// question asks for it. Caches are those of transformers (cache_utils.py), checked at 1 to 40,000 tokens.

/// How many entries a cache holds after n tokens.
struct Extent {
  enum class Kind : std::uint8_t {
    tokens,    ///< one for each token, and `by` more
    window,    ///< the same, but at most `by`
    quotient,  ///< one for every `by` tokens
    rest,      ///< those that are left over from `quotient`
    started,   ///< `by` of them once there are so many tokens
    fixed,     ///< one, however many tokens there are
  };
  Kind kind = Kind::tokens;
  Count by = 0;

  [[nodiscard]] Count at(Count tokens) const;
};

/// One tensor that is kept for each sequence, and how often it occurs.
struct CacheRow {
  std::string name;         ///< with index ranges: model.layers.[0-31].self_attn.keys
  std::vector<Expr> shape;  ///< without the batch; an empty dimension stands for the entries
  std::vector<Expr> repeats;
  Extent extent;
  bool float32 = false;  ///< kept in 32 bits, whatever the model's dtype
  Expr entry = {};       ///< elements of one entry in all copies
  Expr elements = {};    ///< of one copy, with all entries
  Expr total = {};       ///< of all copies

  /// Elements of all copies after so many tokens.
  [[nodiscard]] Count at(Count tokens) const;
};

/// A product of activations with each other: what attention multiplies for each pair of a query and a key.
struct PairRow {
  std::string name;
  Expr width;  ///< multiply-adds of one pair, in one copy
  std::vector<Expr> repeats;
  Extent extent;           ///< the keys that the next token meets, beside its own
  bool next_only = false;  ///< what a further token computes anew for each that is kept; in a prompt it is among the matrices
};

/// A model, or one inside it.
struct Submodel {
  std::string prefix;  ///< what the names of its tensors begin with
  Text model_type;     ///< empty where it has no type of its own
};

/// All of it, for one context.
struct Inference {
  std::vector<Submodel> models;  ///< the outermost first, towers too
  bool ties_by_default = false;  ///< the default of tie_word_embeddings
  Expr tokens = {};              ///< in the context, under the name that formulas write
  Count source = 0;              ///< tokens that an encoder of text reads
  bool reads_source = false;     ///< a decoder attends to an encoder's output, which is there
  std::vector<CacheRow> cache;
  std::vector<PairRow> pairs;
  std::vector<BlockRows> blocks;  ///< inner ones before those around them
  // Multiply-adds, in all copies:
  Count state_macs_per_token = 0;  ///< with states of recurrences or of earlier layers
  Count extra_macs_per_token = 0;  ///< of weights that a token meets more than once
  Count skipped_macs = 0;          ///< of weights that a token passes by
  Count macs_per_prompt = 0;       ///< of weights, once for a prompt of any length
  bool chunks = false;             ///< transformers takes a prompt's recurrence in chunks of tokens
  std::string unknown = {};        ///< why the cache is not known; empty: it is
  Text uncomputed = {};            ///< why operations are not, where it is
  bool generates = true;           ///< false: the model keeps nothing
  bool settled = false;            ///< a model inside has said what it keeps
  const Family* family = nullptr;  ///< of the whole
};

/// Keeps `name` in the layer that is recorded. An empty dimension of the shape stands for the entries; a shape without one has the same
/// size however many tokens there are. These do nothing unless inference is recorded.
void record_cache(Builder& b, Text name, std::initializer_list<Expr> shape, Extent extent = {}, bool float32 = false);

/// Attention as it is kept and multiplied.
struct AttentionSizes {
  Expr heads;
  Expr kv_heads;
  Expr key_dim;
  Expr value_dim = {};  ///< empty: as keys
  Expr prompt = {};     ///< learned entries before the tokens
};
/// Keeps keys and values and multiplies them with the queries.
void record_attention(Builder& b, const AttentionSizes& a);
/// Multiplies alone.
void record_pair_products(Builder& b, Expr width, Extent extent = {}, bool next_only = false);
/// Multiplies weights of so many elements once more than the matrix that holds them, or not at all, for each token.
void record_extra_macs(Builder& b, Expr elements);
void record_skipped_macs(Builder& b, Expr elements);
/// Multiplies them once more for a prompt, however long.
void record_prompt_macs(Builder& b, Expr elements);

/// The tokens that an encoder of text reads; empty unless inference is recorded.
Expr source_tokens(Builder& b);
/// Attention to an encoder's output of that length: keys and values are projected and kept once.
void record_cross_attention(Builder& b, const AttentionSizes& a, Expr encoder_length, Expr projections);
/// What `record` has recorded since those sizes runs once, over so many tokens, and keeps nothing.
void finish_encoder(Builder& b, Expr tokens, std::size_t first_row, std::size_t first, std::size_t first_pair);
/// Whether a row is multiplied by each token that meets it: matrices, and kernels of convolutions along the text.
bool is_multiplied(const Row& row);

/// Records an encoder, which reads so many tokens once.
template <class Record>
void record_encoder(Builder& b, Expr tokens, const Record& record) {
  const Inference* const to = b.inference();
  const std::size_t first_row = b.rows().size();
  const std::size_t first = to != nullptr ? to->cache.size() : 0, first_pair = to != nullptr ? to->pairs.size() : 0;
  b.owned_by(Owner::encoder, record);
  if (to != nullptr) finish_encoder(b, tokens, first_row, first, first_pair);
}

/// How transformers takes the tokens of a prompt through a recurrence.
enum class Prompt : std::uint8_t { by_token, in_chunks };
/// Says that a token multiplies states by so many products: as transformers takes the next token, written as matrices or as sums.
void record_recurrence(Builder& b, Expr products, Prompt prompt);
/// Keeps what a convolution reads again, and the state of a recurrence in 32 bits, which a token multiplies `times` times.
void record_states(Builder& b, std::initializer_list<Expr> convolution, std::initializer_list<Expr> recurrence, Count times, Prompt prompt);

/// A row's shape with its entries.
std::vector<Expr> dimensions(const CacheRow& row, Expr tokens);

/// The tokens of the context, in a pool.
Expr named_tokens(Pool& pool, Count tokens);

/// Settles (for a model inside that has no type of its own: by the whole's) which of the rows that were recorded since the sizes `first`
/// and `first_pair` by a model of that family keep a window alone, as transformers' DynamicCache reads it from the configuration; or why
/// the cache is not known.
void finish_cache(Config c, Builder& b, const Family& family, std::size_t first, std::size_t first_pair);

/// Notes that a model of that family begins here.
void begin_model(Builder& b, const Family& family);

/// Settles what `record` records.
template <class Record>
void record_with_cache(Config c, Builder& b, const Family& family, const Record& record) {
  const Inference* const to = b.inference();
  const std::size_t first = to != nullptr ? to->cache.size() : 0, first_pair = to != nullptr ? to->pairs.size() : 0;
  begin_model(b, family);
  record();
  if (to != nullptr) finish_cache(c, b, family, first, first_pair);
}

}  // namespace param_ledger
