#pragma once

#include <cstdint>

#include "core/blocks.hpp"
#include "core/heads.hpp"

namespace param_ledger {

/// The decoder of Llama, which many types share under their own defaults: norm, attention, norm, gated feed-forward.
struct LlamaDecoder {
  Attention attention;
  Expr inner;
  Expr n_layers;
  Expr vocabulary;
  bool mlp_bias = false;
  bool tie_by_default = false;
};

/// A type's defaults of the fields that all these types spell alike.
struct LlamaDefaults {
  std::uint64_t hidden, inner, layers, vocabulary, heads;
};

/// Reads hidden_size, intermediate_size, num_hidden_layers, vocab_size and num_attention_heads; the rest is left to the type.
LlamaDecoder llama_fields(Config& c, const LlamaDefaults& defaults);

/// Records embed_tokens, layers, norm and the head of the class that is counted.
void llama_decoder(Config& c, Builder& b, const LlamaDecoder& m);

}  // namespace param_ledger
