#pragma once

#include <string_view>

#include "core/family.hpp"

namespace param_ledger {

/// What the heads of a decoder need to know of its backbone, and how it spells them.
struct DecoderHead {
  Expr hidden;  ///< width of the last hidden state
  Expr vocabulary;
  std::string_view embedding = "embed_tokens";  ///< the embedding table's module, inside the backbone
  std::string_view language_model = "lm_head";  ///< the language model head's module
  bool tie_by_default = false;                  ///< the default of tie_word_embeddings
  std::string_view token_classifier = "score";  ///< the token classification head's module; "score" may lack its bias
};

/// Records the head of the class that is counted: `lm_head` (tied or not), `score`, `classifier` or `qa_outputs`.
/// Source: transformers.modeling_layers and each model's …ForCausalLM.
void decoder_head(Config& c, Builder& b, const DecoderHead& head);

/// Labels of a classification head: num_labels, else the entries of id2label, else 2. Source: PreTrainedConfig.
Expr num_labels(Config& c);

/// The full name of a tensor of the backbone, as the class that is counted holds it.
std::string backbone_tensor(const Builder& b, std::string_view name);

}  // namespace param_ledger
