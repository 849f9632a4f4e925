#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

/// What a block is, by the name that its paper gives it.
enum class Mechanism : std::uint8_t {
  unspecified,
  attention,        ///< softmax attention: multi-head, grouped-query or multi-query, as its numbers of heads say
  gated_attention,  ///< the same with a gate on its output, which the query projection gives too
  latent_attention,
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
  rwkv_channel_mixing,
  rg_lru,
  mlstm,
  rms_norm,
  layer_norm,
  batch_norm,
  relative_position_bias,
  sinusoidal_positions,  ///< stored, and not trained
  patch_embedding,
  convolutional_stem,
  pooler,
  masked_prediction,  ///< what a masked language model has before its logits
  classifier,
  quantization_scales,
  prediction_layer,  ///< multi-token prediction
};
std::string_view spelling(Mechanism mechanism);

/// A block, for explanations. Numbers that it does not have are empty.
struct Block {
  Mechanism mechanism = Mechanism::unspecified;
  Expr heads = {}, kv_heads = {};
  Expr experts = {}, active = {};  ///< of a router: experts of a layer, and how many a token uses
  bool transposed = false;         ///< its matrices are stored as inputs × outputs
};

/// A block and the rows that it was recorded as.
struct BlockRows {
  Block block;
  std::size_t first, last;  ///< among the builder's rows; `last` is the one behind
};

/// What is recorded while this lives is that block. Nothing is noted unless inference is recorded, which the derivation asks for, too.
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

/// What was recorded last in the scope around is that block: all of it, or what is called `name`.
void record_block(Builder& b, const Block& block, Text name = {});

/// The row recorded last stands in blocks like those of an earlier one.
void repeat_blocks(Builder& b, std::size_t row);

/// The blocks that a row stands in, the innermost first.
std::vector<const Block*> blocks_around(const std::vector<BlockRows>& blocks, std::size_t row);

}  // namespace param_ledger
