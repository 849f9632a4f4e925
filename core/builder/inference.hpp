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

// The caches a model keeps and the multiplications it performs during generation. Blocks record them along with their tensors, but only
// when the caller asks for them. Cache sizes follow transformers (cache_utils.py); tests/data/cost.py measures them for contexts of 1 to
// 40,000 tokens.

/// How many entries a cache holds after n tokens.
struct Extent {
  enum class Kind : std::uint8_t {
    tokens,    ///< one per token, plus `by`
    window,    ///< one per token, at most `by`
    quotient,  ///< one for every `by` tokens
    rest,      ///< the remainder of `quotient`: the number of tokens modulo `by`
    started,   ///< 0 until there are `by` tokens, then `by`
    fixed,     ///< always one
  };
  Kind kind = Kind::tokens;
  Count by = 0;

  [[nodiscard]] Count at(Count tokens) const;
};

/// A tensor that is cached for each sequence, and its number of copies.
struct CacheRow {
  std::string name;         ///< the tensor name with index ranges: model.layers.[0-31].self_attn.keys
  std::vector<Expr> shape;  ///< without the batch dimension; an empty Expr stands for the number of entries
  std::vector<Expr> repeats;
  Extent extent;
  bool float32 = false;  ///< cached in 32 bits, regardless of the model's dtype
  Expr entry = {};       ///< elements of one entry, summed over all copies
  Expr elements = {};    ///< elements of one copy with all entries
  Expr total = {};       ///< elements of all copies

  /// Elements of all copies after this many tokens.
  [[nodiscard]] Count at(Count tokens) const;
};

/// The multiplications of attention that are done once for each pair of a query and a key.
struct PairRow {
  std::string name;
  Expr width;  ///< multiply-adds per pair, in one copy
  std::vector<Expr> repeats;
  Extent extent;           ///< the cached keys that the next token attends to, excluding its own
  bool next_only = false;  ///< whether these are multiplications with weights that each generated token applies to all cached entries; for
                           ///< a prompt, the weights are counted like other matrices
};

/// A model whose tensors share a name prefix: the whole model or a nested one.
struct Submodel {
  std::string prefix;  ///< the common prefix of its tensor names
  Text model_type;     ///< empty if it has no type of its own
};

/// Everything that is recorded about inference, for one context length.
struct Inference {
  std::vector<Submodel> models;  ///< each before the models nested in it; includes towers
  bool ties_by_default = false;  ///< the default of tie_word_embeddings
  Expr tokens = {};              ///< tokens in the context, as a named value
  Count source = 0;              ///< the number of tokens that a text encoder reads
  bool reads_source = false;     ///< whether a decoder attends to an encoder's output
  std::vector<CacheRow> cache;
  std::vector<PairRow> pairs;
  std::vector<BlockRows> blocks;  ///< inner blocks before the blocks that contain them
  // Multiply-adds, summed over all copies of a layer:
  Count state_macs_per_token = 0;  ///< multiply-adds between activations, independent of the context length, e.g. with recurrent states
  Count extra_macs_per_token = 0;  ///< multiply-adds with weights that a token uses more than once, not counting the first use
  Count skipped_macs = 0;          ///< multiply-adds with weights that a generated token does not use
  Count macs_per_prompt = 0;       ///< multiply-adds that are done once per prompt, whatever its length
  bool chunks = false;             ///< whether transformers processes the recurrence of a prompt in chunks
  std::string unknown = {};        ///< why the cache is unknown; empty if it is known
  Text uncomputed = {};            ///< why the operations are unknown; empty if no model gives a reason
  bool settled = false;            ///< whether the cache rules of some model, nested or not, have been applied
  const Family* family = nullptr;  ///< the family of the outermost model
};

/// Records a cached tensor `name` in the current layer. An empty dimension of the shape stands for the number of entries; a shape without
/// one does not depend on the number of tokens. Does nothing unless inference is recorded.
void record_cache(Builder& b, Text name, std::initializer_list<Expr> shape, Extent extent = {}, bool float32 = false);

/// The sizes of an attention block that determine its cache and multiplications.
struct AttentionSizes {
  Expr heads;
  Expr kv_heads;
  Expr key_dim;
  Expr value_dim = {};  ///< dimension of a value head; empty: key_dim
  Expr prompt = {};     ///< the number of learned vectors that precede the tokens and have cache entries, too
  Expr cached = {};     ///< the number of heads that are cached; empty: kv_heads
};
/// Records an attention block, its cached keys and values, and its multiplications for each pair of a query and a key. Adds the messages of
/// `remark_shares` even if inference is not recorded.
void record_attention(Builder& b, const AttentionSizes& a);
/// Records `width` multiply-adds for each pair of a query and a key, but no cache. `next_only`: see PairRow.
void record_pair_products(Builder& b, Expr width, Extent extent = {}, bool next_only = false);
/// Records that each token needs this many multiply-adds more (record_extra_macs) or fewer (record_skipped_macs) than the active weights
/// have elements, because it uses some weights repeatedly or not at all.
void record_extra_macs(Builder& b, Expr elements);
void record_skipped_macs(Builder& b, Expr elements);
/// Records this many multiply-adds with weights that are done once per prompt, whatever its length.
void record_prompt_macs(Builder& b, Expr elements);

/// The number of tokens that a text encoder reads; empty unless inference is recorded.
Expr source_tokens(Builder& b);
/// Records attention to an encoder's output of this length. Its keys and values are projected once and cached. `projections`: the elements
/// of the key and value projections.
void record_cross_attention(Builder& b, const AttentionSizes& a, Expr encoder_length, Expr projections);
/// Treats everything recorded from these positions on as an encoder, which runs once over `tokens` tokens and caches nothing.
void finish_encoder(Builder& b, Expr tokens, std::size_t first_row, std::size_t first, std::size_t first_pair);
/// Whether activations are multiplied by the row's weights. True for tied output heads, and for matrices and convolution kernels that
/// belong to the model.
bool is_multiplied(const Row& row);

/// Calls `record` to record an encoder, which runs once over `tokens` tokens. Its tensors get Owner::encoder unless `record` sets another
/// owner.
template <class Record>
void record_encoder(Builder& b, Expr tokens, const Record& record) {
  const Inference* const to = b.inference();
  const std::size_t first_row = b.rows().size();
  const std::size_t first = to != nullptr ? to->cache.size() : 0, first_pair = to != nullptr ? to->pairs.size() : 0;
  b.owned_by(Owner::encoder, record);
  if (to != nullptr) finish_encoder(b, tokens, first_row, first, first_pair);
}

/// How transformers runs a recurrence over a prompt.
enum class Prompt : std::uint8_t { by_token, in_chunks };
/// Adds this many multiply-adds between activations per token, such as those with a recurrent state. Their number must not depend on the
/// context length. The number follows transformers' code for generating one token, whether that uses matrix products or elementwise
/// operations.
void record_recurrence(Builder& b, Expr products, Prompt prompt);
/// Records two cached states: the last inputs of a convolution, and a recurrent state in 32 bits. Each token multiplies every element of
/// the recurrent state `times` times.
void record_states(Builder& b, std::initializer_list<Expr> convolution, std::initializer_list<Expr> recurrence, Count times, Prompt prompt);

/// The shape of a cached tensor, with the number of entries filled in.
std::vector<Expr> dimensions(const CacheRow& row, Expr tokens);

/// The number of tokens in the context, as a named value.
Expr named_tokens(Pool& pool, Count tokens);

/// Applies the family's cache rules to the rows recorded since `first` and `first_pair`: shortens them to the sliding windows that
/// transformers' DynamicCache reads from the configuration, drops the cached tensors of a model that caches nothing, or records why the
/// cache or the operations are unknown. A nested model without its own type follows the outermost model's family.
void finish_cache(Config c, Builder& b, const Family& family, std::size_t first, std::size_t first_pair);

/// Records that a model of this family begins here, either the whole model or a nested one.
void begin_model(Builder& b, const Family& family);

/// Records that a model of this family begins, calls `record`, and then applies the family's cache rules to what was recorded.
template <class Record>
void record_with_cache(Config c, Builder& b, const Family& family, const Record& record) {
  const Inference* const to = b.inference();
  const std::size_t first = to != nullptr ? to->cache.size() : 0, first_pair = to != nullptr ? to->pairs.size() : 0;
  begin_model(b, family);
  record();
  if (to != nullptr) finish_cache(c, b, family, first, first_pair);
}

}  // namespace param_ledger
