#pragma once

#include <string_view>

#include "core/family.hpp"

namespace param_ledger {

/// Records the head of the class that is counted: `lm_head` (tied or not), `score`, `classifier` or `qa_outputs`.
/// Source: transformers.modeling_layers and each model's …ForCausalLM.
void decoder_head(Config c, Builder& b, const Backbone& m);

/// The language model head alone: `lm_head.weight`, tied to the embedding where tie_word_embeddings says so.
void language_model_head(Config c, Builder& b, const Backbone& m);
/// The same where the type says otherwise whether it is tied.
void language_model_head(Builder& b, const Backbone& m, bool tied);

/// `classifier`: labels of images.
void image_classifier(Config c, Builder& b, const Backbone& m);

/// Labels of a classification head: num_labels, else the entries of id2label, else 2 or what the type says. Source: PreTrainedConfig.
Expr num_labels(Config c, std::uint64_t fallback = 2);

/// A classification head of two layers: `name.dense`, `name.out_proj`.
void two_layer_classifier(Builder& b, Text name, Expr hidden, Expr labels);

}  // namespace param_ledger
