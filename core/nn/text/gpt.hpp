#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

// Functions shared by GPT-2 and the model types that use its field names, and heads of GPT-2, XLM and XLNet.

/// transformers' attribute_map of GPT-2 and similar model types.
inline constexpr Alias gpt_aliases[] = {
    {"hidden_size", "n_embd"},
    {"max_position_embeddings", "n_positions"},
    {"num_attention_heads", "n_head"},
    {"num_hidden_layers", "n_layer"},
};

/// The sizes of GPT-2 and similar model types.
struct GptSizes {
  Expr d, n_layers, n, vocab;
};

/// A model type's defaults for the fields of GptSizes.
struct GptDefaults {
  std::uint64_t hidden, layers, heads, vocabulary;
};

/// Reads n_embd, n_layer, n_head and vocab_size.
GptSizes gpt_sizes(Config c, const GptDefaults& defaults);

/// A model type's defaults for the sequence summary.
struct SummaryDefaults {
  Text type;
  bool projects_to_labels = true;
};

/// If summary_use_proj is true, records `name.summary`: a projection of one vector per sequence to `labels` values or to the hidden size.
/// Source: transformers, …SequenceSummary of GPT-2, XLM and others.
void sequence_summary(Config c, Builder& b, Text name, Expr hidden, Expr labels, const SummaryDefaults& defaults);

/// Records `start_logits`, `end_logits` and `answer_class`, which predict where an answer starts, where it ends, and whether there is one.
/// Source: transformers, …PoolerStartLogits, …PoolerEndLogits and …PoolerAnswerClass of XLM and XLNet.
void answer_span(Builder& b, Expr hidden);

}  // namespace param_ledger
