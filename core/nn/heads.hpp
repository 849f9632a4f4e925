#pragma once

#include <string_view>

#include "core/builder/family.hpp"

namespace param_ledger {

/// Records the head that the counted class adds to a decoder: `lm_head` (tied or not), `score` or another classifier, or `qa_outputs`.
/// Records nothing for a class with none of these heads. Source: transformers.modeling_layers and the …ForCausalLM class of each model.
void decoder_head(Config c, Builder& b, const BackboneOutput& m);

/// Records only the language model head, by default `lm_head`. It is tied to the embedding table if there is one and tie_word_embeddings is
/// true.
void language_model_head(Config c, Builder& b, const BackboneOutput& m);
/// Records only the language model head. The caller decides whether it is tied to the embedding table.
void language_model_head(Builder& b, const BackboneOutput& m, bool tied);
/// Records `language_model.lm_head.weight`, which is tied if tie_word_embeddings in the text model's section is true.
void nested_language_model_head(Config text, Builder& b, const BackboneOutput& m);
/// Records the head of a model with a text_config. The head is tied if tie_word_embeddings is true at the top level or in text_config;
/// `outer_tie` is the default at the top level. Records nothing if the class has no head.
void outer_language_model_head(Config c, Builder& b, const BackboneOutput& m, bool outer_tie);
/// Like the overload with `outer_tie`, which is false here. Has the signature of Family::head.
void outer_language_model_head(Config c, Builder& b, const BackboneOutput& m);

/// Records a linear layer with bias from `width` to the number of labels, in the part `output_head`. Records nothing if num_labels is 0.
void classifier(Config c, Builder& b, Text name, Expr width);
/// Records the head of a vision model: `classifier` for image or video classification, `decoder.0` for masked image modelling. Records
/// nothing for other classes.
void vision_head(Config c, Builder& b, const BackboneOutput& m);
/// Records `decoder.0`, a convolution that reconstructs patches of encoder_stride × encoder_stride pixels. Source: SimMIM.
void masked_image_decoder(Config c, Builder& b, Expr width, std::uint64_t default_stride);

/// The number of labels of a classification head: num_labels or, if it is missing, the number of entries in id2label; otherwise `fallback`.
/// Throws unless id2label is missing, null or an object whose keys are plain numbers. Source: PreTrainedConfig.
Expr num_labels(Config c, std::uint64_t fallback = 2);

/// Records a two-layer classification head: `name.dense`, `name.out_proj`.
void two_layer_classifier(Builder& b, Text name, Expr hidden, Expr labels);

}  // namespace param_ledger
