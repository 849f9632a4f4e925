#pragma once

#include <string_view>

#include "core/builder/family.hpp"

namespace param_ledger {

/// Records the head of the counted class: `lm_head` (tied or not), `score`, `classifier` or `qa_outputs`.
/// Source: transformers.modeling_layers and each model's …ForCausalLM.
void decoder_head(Config c, Builder& b, const BackboneOutput& m);

/// The language model head only: `lm_head.weight`, tied to the embedding if tie_word_embeddings is true.
void language_model_head(Config c, Builder& b, const BackboneOutput& m);
/// The language model head only, for a type that decides about tying in another way.
void language_model_head(Builder& b, const BackboneOutput& m, bool tied);
/// `language_model.lm_head.weight`, tied if the text model's own section says so.
void nested_language_model_head(Config text, Builder& b, const BackboneOutput& m);
/// The head of a model with a text_config: tie_word_embeddings may be in either place; `outer_tie` is its default outside. Nothing if the
/// class has no head.
void outer_language_model_head(Config c, Builder& b, const BackboneOutput& m, bool outer_tie);
/// The head of a model with a text_config, untied if neither place gives the field; with the signature of Family::head.
void outer_language_model_head(Config c, Builder& b, const BackboneOutput& m);

/// A linear layer to the labels, in part `output_head`; nothing if num_labels is 0.
void classifier(Config c, Builder& b, Text name, Expr width);
/// The heads of vision models: `classifier` for images and videos; `masked_image_decoder` for masked images.
void vision_head(Config c, Builder& b, const BackboneOutput& m);
/// `decoder.0`: a convolution that reconstructs a patch of encoder_stride pixels. Source: SimMIM.
void masked_image_decoder(Config c, Builder& b, Expr width, std::uint64_t default_stride);

/// The labels of a classification head: num_labels, else the entries of id2label, else 2 or the type's default. Source: PreTrainedConfig.
Expr num_labels(Config c, std::uint64_t fallback = 2);

/// A two-layer classification head: `name.dense`, `name.out_proj`.
void two_layer_classifier(Builder& b, Text name, Expr hidden, Expr labels);

}  // namespace param_ledger
