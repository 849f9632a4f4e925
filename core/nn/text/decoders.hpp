#pragma once

#include <cstdint>

#include "core/builder/family.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

/// What nearly every decoder says of its size.
struct DecoderSizes {
  Expr d, f, n_layers, vocab, n;
};

/// A type's defaults of the fields that these types spell alike. No `inner`: the type has no intermediate_size.
struct DecoderDefaults {
  std::uint64_t hidden, inner = 0, layers, vocabulary, heads;
};

/// Reads hidden_size, intermediate_size, num_hidden_layers, vocab_size and num_attention_heads.
DecoderSizes decoder_sizes(Config c, const DecoderDefaults& defaults);

/// embed_tokens, what `layers` records, and a last norm.
template <class Layers>
BackboneOutput decoder(Builder& b, Expr vocabulary, Expr hidden, Layers&& layers, Norm last = Norm::rms, Text last_name = "norm") {
  const Tensor table = embedding(b, "embed_tokens", vocabulary, hidden, TensorRole::token_embedding);
  layers();
  norm(b, last, last_name, hidden);
  return {.hidden = hidden, .embedding = table};
}

/// The names of the norms around a layer's two blocks; one without a name is not there.
struct LayerNorms {
  Text before_attention = "input_layernorm", after_attention = {};
  Text before_feed_forward = "post_attention_layernorm", after_feed_forward = {};
};
constexpr LayerNorms pre_norms{};
constexpr LayerNorms post_norms{"", "post_attention_layernorm", "", "post_feedforward_layernorm"};
constexpr LayerNorms sandwich_norms{"input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm",
                                    "post_feedforward_layernorm"};
constexpr LayerNorms parallel_norms{"input_layernorm", "", "", ""};  ///< both blocks read what one norm gives

/// How a layer's feed-forward block is stored.
enum class FeedForward : std::uint8_t {
  gated,        ///< gate_proj, up_proj, down_proj
  gated_fused,  ///< gate_up_proj, down_proj
  plain,        ///< up_proj, down_proj
};

/// A decoder whose layers are alike: attention and a feed-forward block with norms around them. As it stands it is Llama's.
struct LlamaDecoder {
  Attention attention = {};
  Expr inner = {};
  Expr n_layers = {};
  Expr vocabulary = {};
  bool mlp_bias = false;
  FeedForward feed_forward = FeedForward::gated;
  Text up = {}, down = "down_proj";  ///< names of two matrices; an empty one: up_proj or gate_up_proj
  LayerNorms norms = pre_norms;
  Norm norm = Norm::rms;
  Text last_norm = "norm";
  bool tied = false;                                          ///< the default of tie_word_embeddings
  void (*more)(Builder& b, const LlamaDecoder& m) = nullptr;  ///< records what each layer has beside
};

/// Reads the sizes; the rest is left to the type.
LlamaDecoder llama_fields(Config c, const DecoderDefaults& defaults);

/// Records the layers alone.
void llama_layers(Builder& b, const LlamaDecoder& m);
/// Records embed_tokens, layers and norm.
BackboneOutput llama_decoder(Builder& b, const LlamaDecoder& m);
/// The same with latent attention.
BackboneOutput latent_decoder(Builder& b, const DecoderSizes& s, const LatentAttention& attention, bool mlp_bias = false);

/// Reads num_key_value_heads, head_dim and attention_bias (for all four projections); `layout` says the rest.
Attention attention_fields(Config c, const DecoderSizes& s, Default kv_heads, Default head_dim, Attention layout = {});

/// A row of a table of types: what a type of this shape says of its own.
struct LlamaType {
  DecoderDefaults sizes;  ///< hidden_size, intermediate_size, num_hidden_layers, vocab_size, num_attention_heads
  Default kv_heads = {};
  Default head_dim = {};
  void (*switches)(Config c, LlamaDecoder& m) = nullptr;  ///< reads what else its configuration says
  bool divisible = false;                                 ///< hidden_size must be a multiple of num_attention_heads
  LlamaDecoder layout = {};                               ///< what is the same in all its configurations
};

/// Reads a row's fields, and records its decoder.
LlamaDecoder llama_type_fields(Config c, const LlamaType& type);
BackboneOutput llama_type(Config c, Builder& b, const LlamaType& type);

/// The backbone of a row, as a Family wants it.
template <const LlamaType& type>
BackboneOutput of_type(Config c, Builder& b) {
  return llama_type(c, b, type);
}

// Switches that many types have: which linear layers have biases.

/// attention_bias, for all four projections.
void attention_bias(Config c, LlamaDecoder& m);
/// mlp_bias.
void mlp_bias(Config c, LlamaDecoder& m);
/// attention_bias and mlp_bias.
void both_biases(Config c, LlamaDecoder& m);

/// Refuses heads that do not share the hidden size out: of types whose code reads no head_dim.
void require_shares(const LlamaDecoder& m);

}  // namespace param_ledger
