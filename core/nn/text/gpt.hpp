#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

// What GPT-2 and the types that took its field names over share.

/// The attribute_map of these types.
inline constexpr Alias gpt_aliases[] = {
    {"hidden_size", "n_embd"},
    {"max_position_embeddings", "n_positions"},
    {"num_attention_heads", "n_head"},
    {"num_hidden_layers", "n_layer"},
};

/// What these types say of their size.
struct GptSizes {
  Expr d, n_layers, n, vocab;
};

/// A type's defaults of them.
struct GptDefaults {
  std::uint64_t hidden, layers, heads, vocabulary;
};

/// Reads n_embd, n_layer, n_head and vocab_size.
GptSizes gpt_sizes(Config c, const GptDefaults& defaults);

/// A type's defaults of how it summarises a sequence.
struct SummaryDefaults {
  Text type;
  bool projects_to_labels = true;
};

/// Records `name.summary`: one vector for a sequence, projected to `labels` or to its own width, where summary_use_proj says so.
/// Source: transformers, …SequenceSummary of GPT-2, XLM and others.
void sequence_summary(Config c, Builder& b, Text name, Expr hidden, Expr labels, const SummaryDefaults& defaults);

/// `start_logits`, `end_logits`, `answer_class`: where an answer begins, where it then ends, and whether there is one.
/// Source: transformers, …PoolerStartLogits of XLM and XLNet and those after it.
void answer_span(Builder& b, Expr hidden);

}  // namespace param_ledger
