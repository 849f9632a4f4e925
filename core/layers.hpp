#pragma once

#include <string_view>

#include "core/builder.hpp"

namespace param_ledger {

// The vocabulary of torch.nn, with the shapes that it stores.

/// `weight` [out, in], `bias` [out]. Source: torch.nn.Linear.
void linear(Builder& b, std::string_view name, Expr in, Expr out, bool bias = false);
/// The same the other way round: `weight` [in, out], `bias` [out]. Source: transformers.pytorch_utils.Conv1D (GPT-2).
void conv1d_linear(Builder& b, std::string_view name, Expr in, Expr out);
/// `weight` [rows, width], in the part `embedding`. Source: torch.nn.Embedding.
void embedding(Builder& b, std::string_view name, Expr rows, Expr width);
/// `weight` [width], in the part `norm`. Source: T5LayerNorm and its descendants.
void rms_norm(Builder& b, std::string_view name, Expr width);
/// `weight` and `bias` [width], in the part `norm`. Source: torch.nn.LayerNorm.
void layer_norm(Builder& b, std::string_view name, Expr width);
/// One filter per channel: `weight` [channels, 1, kernel], `bias` [channels]. Source: torch.nn.Conv1d with groups = channels.
void depthwise_conv1d(Builder& b, std::string_view name, Expr channels, Expr kernel, bool bias);

}  // namespace param_ledger
