#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

/// The kind of a block, such as attention or a norm, usually under the name that the literature uses.
enum class Mechanism : std::uint8_t {
  unspecified,
  attention,        ///< softmax attention: multi-head, grouped-query or multi-query, depending on the numbers of heads
  gated_attention,  ///< softmax attention whose query projection also computes an output gate
  latent_attention,
  gated_latent_attention,  ///< latent attention with an output gate; the up projection of the queries also computes the gate
  mixed_attention,         ///< attention whose output projection also reads the output of span-based dynamic convolution
  branch_gates,            ///< for each head, gates that weight the branches of native sparse attention
  span_convolution,        ///< computes the kernels of span-based dynamic convolution
  focal_modulation,
  deformable_attention,
  sparse_indexer,
  gated_feed_forward,
  feed_forward,
  router,
  mamba,
  mamba_2,
  short_convolution,
  gated_delta_net,
  kimi_delta_attention,  ///< a gated delta net with a decay per channel
  lightning_attention,
  rwkv,
  rwkv_7,
  rwkv_channel_mixing,
  rg_lru,
  mlstm,
  lstm,
  prediction_projection,  ///< follows the LSTM of a transducer's prediction network
  hyper_connection,       ///< weights for reading, writing and mixing parallel residual streams
  rms_norm,
  gated_rms_norm,       ///< RMSNorm, times a gate that is computed from the normalised vector
  unbiased_layer_norm,  ///< LayerNorm with a scale and no shift
  layer_norm,
  batch_norm,
  group_norm,
  cumulative_norm,   ///< group norm over all positions so far, with a scale and no shift
  response_norm,     ///< Global Response Normalization
  adaptive_norm,     ///< layers that compute the scale of a normalised vector, and possibly a shift and a gate, from a condition
  residual_weights,  ///< learned factors of the hidden state and of what is added to it
  relative_position_bias,
  sinusoidal_positions,  ///< stored but not trained
  fixed_values,          ///< stored as parameters but not trained
  patch_embedding,
  patch_merging,
  stage_shortcut,
  convolutional_stem,
  convolutional_positions,
  pooler,
  masked_prediction,  ///< the token prediction head of BERT-like models, including the dense layer and norm before its decoder, if any
  classifier,
  quantization_scales,
  prediction_layer,  ///< multi-token prediction
};
std::string_view spelling(Mechanism mechanism);

/// How a gated feed-forward block combines the outputs of its gate and up projections.
enum class Gate : std::uint8_t {
  activated,  ///< the gate, after the activation, multiplies the other output
  clamped,    ///< both outputs are clamped first
  scaled  ///< (up + 1) · gate · sigmoid(α · gate), as in gpt-oss, whatever activation the configuration names; most types clamp both first
};
std::string_view spelling(Gate gate);

/// A block of the model with the sizes that a derivation explains. Sizes that do not apply to its mechanism are empty.
struct Block {
  Mechanism mechanism = Mechanism::unspecified;
  Expr heads = {}, kv_heads = {};
  Expr experts = {}, active = {};  ///< for a router and for experts: how many experts a layer has, and how many of them a token uses
  Expr shared = {};                ///< for shared experts: how many a layer has, if there may be several
  Expr window = {};                ///< for attention in a model whose cache is unknown: how many tokens a query sees at most
  Gate gate = Gate::activated;
  bool reused = false;      ///< for an indexer: whether layers without one reuse its selection
  bool transposed = false;  ///< whether the block's weights are stored with the input dimension before the output dimension
};

/// A block and the range of rows that belong to it.
struct BlockRows {
  Block block;
  std::size_t first, last;  ///< positions among the builder's rows, from `first` up to but not including `last`
};

/// Marks the rows that are recorded during this object's lifetime as one block. Does nothing unless the builder also records inference, as
/// it does for derivations.
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

/// Marks the rows recorded last as this block, as far back as their names begin with the current name prefix followed by `name`.
void record_block(Builder& b, const Block& block, Text name = {});

/// For each block that contains the row at position `row`, records an equal block with only the row recorded last.
void repeat_blocks(Builder& b, std::size_t row);

/// The blocks that contain a row, innermost first.
std::vector<const Block*> blocks_around(std::span<const BlockRows> blocks, std::size_t row);

/// Whether one of the blocks around a row stores its weights with the input dimension before the output dimension.
bool is_transposed(const std::vector<const Block*>& blocks);

}  // namespace param_ledger
