#pragma once

#include <string_view>

#include "core/builder/family.hpp"

namespace param_ledger {

/// Records the head of the class that is counted: `lm_head` (tied or not), `score`, `classifier` or `qa_outputs`.
/// Source: transformers.modeling_layers and each model's …ForCausalLM.
void decoder_head(Config c, Builder& b, const BackboneOutput& m);

/// The language model head alone: `lm_head.weight`, tied to the embedding where tie_word_embeddings says so.
void language_model_head(Config c, Builder& b, const BackboneOutput& m);
/// The same where the type says otherwise whether it is tied.
void language_model_head(Builder& b, const BackboneOutput& m, bool tied);
/// That of a model with a text_config: tie_word_embeddings counts in either place, outside by that default. None where the class has none.
void language_model_head_beside(Config c, Builder& b, const BackboneOutput& m, bool outer_tie);
/// The same, not tied where neither place says it; as a Family wants it.
void language_model_head_beside(Config c, Builder& b, const BackboneOutput& m);

/// A linear layer to the labels, in the part `output_head`; none where num_labels is 0.
void classifier(Config c, Builder& b, Text name, Expr width);
/// The heads of vision models: `classifier` for images and videos; for masked images what `masked_image_decoder` records.
void vision_head(Config c, Builder& b, const BackboneOutput& m);
/// `decoder.0`: one convolution that paints a patch of encoder_stride. Source: SimMIM.
void masked_image_decoder(Config c, Builder& b, Expr width, std::uint64_t default_stride);

/// Labels of a classification head: num_labels, else the entries of id2label, else 2 or what the type says. Source: PreTrainedConfig.
Expr num_labels(Config c, std::uint64_t fallback = 2);

/// A classification head of two layers: `name.dense`, `name.out_proj`.
void two_layer_classifier(Builder& b, Text name, Expr hidden, Expr labels);

}  // namespace param_ledger
