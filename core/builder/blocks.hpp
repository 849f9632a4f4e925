#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

/// The kind of a block, by the name that its paper uses.
enum class Mechanism : std::uint8_t {
  unspecified,
  attention,        ///< softmax attention; the numbers of heads tell multi-head, grouped-query and multi-query apart
  gated_attention,  ///< softmax attention with an output gate; the query projection also gives the gate
  latent_attention,
  deformable_attention,
  sparse_indexer,
  gated_feed_forward,
  feed_forward,
  router,
  mamba,
  mamba_2,
  short_convolution,
  gated_delta_net,
  lightning_attention,
  rwkv,
  rwkv_7,
  rwkv_channel_mixing,
  rg_lru,
  mlstm,
  lstm,
  rms_norm,
  layer_norm,
  batch_norm,
  group_norm,
  relative_position_bias,
  sinusoidal_positions,  ///< stored but not trained
  patch_embedding,
  patch_merging,
  stage_shortcut,
  convolutional_stem,
  convolutional_positions,
  pooler,
  masked_prediction,  ///< the transform and bias before a masked language model's logits
  classifier,
  quantization_scales,
  prediction_layer,  ///< multi-token prediction
};
std::string_view spelling(Mechanism mechanism);

/// A block, for explanations. Sizes that it lacks are empty.
struct Block {
  Mechanism mechanism = Mechanism::unspecified;
  Expr heads = {}, kv_heads = {};
  Expr experts = {}, active = {};  ///< of a router: experts of a layer, and how many a token uses
  bool transposed = false;         ///< its matrices are stored as [in, out]
};

/// A block and its rows.
struct BlockRows {
  Block block;
  std::size_t first, last;  ///< positions among the builder's rows, from `first` up to but not including `last`
};

/// Marks what is recorded during its lifetime as one block. Does nothing unless inference is recorded, as it is for derivations.
class InBlock {
 public:
  InBlock(Builder& b, const Block& block) {
    if (b.recorder() == nullptr) return;
    builder_ = &b;
    block_ = block;
    first_ = b.rows().size();
  }
  ~InBlock() {
    if (asks_for_inference && builder_ != nullptr) note_block(*builder_, block_, first_);
  }
  InBlock(const InBlock&) = delete;
  InBlock& operator=(const InBlock&) = delete;

 private:
  static void note_block(Builder& b, const Block& block, std::size_t first);

  Builder* builder_ = nullptr;
  Block block_ = {};
  std::size_t first_ = 0;
};

/// Marks what was recorded last in the current scope as that block: all of it, or only the module `name`.
void record_block(Builder& b, const Block& block, Text name = {});

/// Puts the row recorded last into the same blocks as an earlier row.
void repeat_blocks(Builder& b, std::size_t row);

/// The blocks that a row stands in, the innermost first.
std::vector<const Block*> blocks_around(const std::vector<BlockRows>& blocks, std::size_t row);

}  // namespace param_ledger
