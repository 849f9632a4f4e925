#pragma once

#include <cstdint>

#include "core/builder/family.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

/// The five sizes that nearly every decoder config declares.
struct DecoderSizes {
  Expr d, f, n_layers, vocab, n;
};

/// A model type's defaults for the fields of DecoderSizes. If `inner` is 0, `decoder_sizes` does not read intermediate_size.
struct DecoderDefaults {
  std::uint64_t hidden, inner = 0, layers, vocabulary, heads;
};

/// Reads hidden_size, intermediate_size (if it has a default), num_hidden_layers, vocab_size and num_attention_heads.
DecoderSizes decoder_sizes(Config c, const DecoderDefaults& defaults);

/// Records embed_tokens, the layers (by calling `layers`), and a norm after them, if any.
template <class Layers>
BackboneOutput decoder(Builder& b, Expr vocabulary, Expr hidden, Layers&& layers, Norm last = Norm::rms, Text last_name = "norm") {
  const Tensor table = embedding(b, "embed_tokens", vocabulary, hidden, TensorRole::token_embedding);
  layers();
  norm(b, last, last_name, hidden);
  return {.hidden = hidden, .embedding = table};
}

/// The names of the norms before and after a layer's two blocks. An empty name means that there is no norm.
struct LayerNorms {
  Text before_attention = "input_layernorm", after_attention = {};
  Text before_feed_forward = "post_attention_layernorm", after_feed_forward = {};
};
constexpr LayerNorms pre_norms{};
constexpr LayerNorms post_norms{"", "post_attention_layernorm", "", "post_feedforward_layernorm"};
constexpr LayerNorms sandwich_norms{"input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm",
                                    "post_feedforward_layernorm"};
constexpr LayerNorms parallel_norms{"input_layernorm", "", "", ""};  ///< a single norm before both blocks, which run in parallel

/// The matrices that a layer's feed-forward block is stored as.
enum class FeedForward : std::uint8_t {
  gated,        ///< gate_proj, up_proj and down_proj
  gated_fused,  ///< gate_up_proj and down_proj, or the names in LlamaDecoder
  plain,        ///< up_proj and down_proj, or the names in LlamaDecoder, without a gate
};

/// A decoder with identical layers of attention, a feed-forward block and norms. The defaults are Llama's.
struct LlamaDecoder {
  Attention attention = {};
  Expr inner = {};
  Expr n_layers = {};
  Expr vocabulary = {};
  bool mlp_bias = false;
  FeedForward feed_forward = FeedForward::gated;
  Text up = {}, down = "down_proj";  ///< names of the matrices if the block is not `gated`; if `up` is empty: "up_proj" or "gate_up_proj"
  LayerNorms norms = pre_norms;
  Norm norm = Norm::rms;
  Text last_norm = "norm";
  bool tied = false;                                          ///< the default of tie_word_embeddings
  void (*more)(Builder& b, const LlamaDecoder& m) = nullptr;  ///< records additional tensors of each layer
};

/// Reads the decoder's sizes. The caller sets everything else.
LlamaDecoder llama_fields(Config c, const DecoderDefaults& defaults);

/// Records the decoder's layers, without embeddings and final norm.
void llama_layers(Builder& b, const LlamaDecoder& m);
/// Records embed_tokens, the layers and the final norm.
BackboneOutput llama_decoder(Builder& b, const LlamaDecoder& m);
/// Records embed_tokens, layers with latent attention, and the final norm.
BackboneOutput latent_decoder(Builder& b, const DecoderSizes& s, const LatentAttention& attention, bool mlp_bias = false);

/// Reads num_key_value_heads, head_dim and attention_bias (for all four projections); `layout` contains the other settings.
Attention attention_fields(Config c, const DecoderSizes& s, Default kv_heads, Default head_dim, Attention layout = {});

/// How a model type differs from others with Llama's structure.
struct LlamaType {
  DecoderDefaults sizes;  ///< defaults of hidden_size, intermediate_size, num_hidden_layers, vocab_size, num_attention_heads
  Default kv_heads = {};
  Default head_dim = {};
  void (*switches)(Config c, LlamaDecoder& m) = nullptr;  ///< reads the type's other fields
  bool divisible = false;                                 ///< whether the heads must divide the hidden size
  LlamaDecoder layout = {};                               ///< settings that are the same for all models of the type
};

/// `llama_type_fields` reads the fields of a model with Llama's structure; `llama_type` also records the decoder.
LlamaDecoder llama_type_fields(Config c, const LlamaType& type);
BackboneOutput llama_type(Config c, Builder& b, const LlamaType& type);

/// `llama_type` for a fixed model type, with the signature of Family::backbone.
template <const LlamaType& type>
BackboneOutput of_type(Config c, Builder& b) {
  return llama_type(c, b, type);
}

// Functions for LlamaType::switches. They read the fields that determine which linear layers have biases.

/// Reads attention_bias, which applies to all four projections of attention.
void attention_bias(Config c, LlamaDecoder& m);
/// Reads mlp_bias, which applies to all matrices of the feed-forward block.
void mlp_bias(Config c, LlamaDecoder& m);
/// Reads attention_bias, for all projections of attention, and mlp_bias, for all matrices of the feed-forward block.
void both_biases(Config c, LlamaDecoder& m);

/// Throws unless heads × head_dim equals the hidden size. For model types whose code has no head_dim.
void require_shares(const LlamaDecoder& m);

}  // namespace param_ledger
