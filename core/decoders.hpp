#pragma once

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

/// Records embed_tokens, layers, norm and the head of the class that is counted.
void llama_decoder(Config& c, Builder& b, const LlamaDecoder& m);

}  // namespace param_ledger
