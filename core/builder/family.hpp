#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/builder/cache.hpp"
#include "core/config/config.hpp"
#include "core/config/constraints.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

/// What a class puts on top of the backbone.
enum class Head : std::uint8_t {
  none,
  causal_lm,
  masked_lm,
  conditional_generation,
  sequence_classification,
  token_classification,
  question_answering,
  multiple_choice,
  next_sentence_prediction,
  pretraining,
  double_heads,
  encoder,
  image_classification,
  masked_image,
  video_classification,
  audio_classification,
  frame_classification,
  speaker,
  ctc,
  object_detection,
  semantic_segmentation,
  universal_segmentation,
  depth_estimation,
  backbone,
  other,  ///< of one type alone, which asks for the class's name
};

/// One class of a family: its name, its head, and the module that holds the backbone in it (empty: it is the backbone).
struct Architecture {
  Text name;
  Head head;
  Text backbone;
};

/// Heads that a family's classes have by convention: …ForCausalLM, …ForConditionalGeneration, …Model, …ForSequenceClassification,
/// …ForTokenClassification, …ForQuestionAnswering, …ForMaskedLM, …ForMultipleChoice, …ForNextSentencePrediction, …ForPreTraining,
/// …ForImageClassification, …ForMaskedImageModeling, …ForVideoClassification, …ForAudioClassification, …ForAudioFrameClassification,
/// …ForXVector, …ForCTC, …ForObjectDetection, …ForSemanticSegmentation, …ForUniversalSegmentation, …ForDepthEstimation, …Backbone.
namespace heads {
constexpr unsigned bit(Head head) { return 1U << static_cast<unsigned>(head); }
constexpr unsigned causal_lm = bit(Head::causal_lm), conditional = bit(Head::conditional_generation), base = bit(Head::none);
constexpr unsigned sequence = bit(Head::sequence_classification), token = bit(Head::token_classification);
constexpr unsigned question = bit(Head::question_answering), choice = bit(Head::multiple_choice), masked = bit(Head::masked_lm);
constexpr unsigned next_sentence = bit(Head::next_sentence_prediction), pretraining = bit(Head::pretraining);
constexpr unsigned image = bit(Head::image_classification), masked_image = bit(Head::masked_image);
constexpr unsigned video = bit(Head::video_classification), audio = bit(Head::audio_classification);
constexpr unsigned frames = bit(Head::frame_classification), speaker = bit(Head::speaker), ctc = bit(Head::ctc);
constexpr unsigned objects = bit(Head::object_detection), semantic = bit(Head::semantic_segmentation);
constexpr unsigned segments = bit(Head::universal_segmentation), depth = bit(Head::depth_estimation), backbone = bit(Head::backbone);
constexpr unsigned decoder = causal_lm | base;
constexpr unsigned all = causal_lm | base | sequence | token | question;
constexpr unsigned encoder = all | masked | choice;
constexpr unsigned speech = ctc | base | sequence | frames | speaker;
}  // namespace heads

/// The classes of a family: by convention those named `prefix` and the head, with the backbone under `backbone`, and those
/// that are listed. The first is counted where a configuration names none: …ForConditionalGeneration, then by bits, then as listed.
struct Classes {
  Text prefix = {};
  unsigned heads = 0;
  Text backbone = "model";
  Text question_backbone = {};  ///< of …ForQuestionAnswering, where it is another
  std::span<const Architecture> listed = {};
};

/// What heads need to know of the backbone under them.
struct BackboneOutput {
  Expr hidden;                  ///< width of the last hidden state
  Tensor embedding = {};        ///< the table of token embeddings, which the head may be tied to
  Tensor bias = {};             ///< of a head inside the backbone, which another head may be tied to
  Expr vocabulary = {};         ///< rows of the head; empty: those of the table
  bool tie_by_default = false;  ///< the default of tie_word_embeddings
  Text language_model = {};     ///< the language model head's module, else "lm_head"
  bool language_model_bias = false;
  std::span<const Expr> stages = {};  ///< of a backbone of stages: what its stem and each of them give, in the pool
  Text token_classifier = {};         ///< the token classification head's module, else "score", which may lack its bias
};

/// Layers beside the model that predict further tokens: where a type's published files hold them, and which field says how many.
struct PredictionLayers {
  enum class Place : std::uint8_t {
    none,
    unknown,               ///< files hold some, as transformers' list of what it passes over says; what these hold nobody tells
    appended,              ///< behind the model's layers, each joined by itself
    appended_with_tables,  ///< and with an embedding table and a head of its own, copies of the model's
    beside,                ///< `model.mtp_layers`, each joined by itself
    apart,                 ///< `mtp.layers`, joined once
    pattern,               ///< `mtp.layers`, each a layer of the kind that a pattern of letters says; joined at the first
  };
  Place place = Place::none;
  Text field = {}, section = {};
  bool always = true;  ///< files of this type hold one where it does not say
};

/// What peft makes of a type's mixture. Its experts are one parameter for gate and up and one for down, of all experts; its router is no
/// linear layer.
enum class PeftExperts : std::uint8_t {
  unknown,       ///< it has not been compared
  converted,     ///< names of single experts' modules stand for these parameters and the router, then for nothing else
  parameters,    ///< names of modules stand for modules alone
  router_apart,  ///< the same, and its router is a linear layer
};

/// What llama.cpp's quantisation makes of a type beside what its tensors do.
enum class Gguf : std::uint8_t {
  usual,        ///< nothing; which rules hold for a model of 80 layers is not known
  known_large,  ///< with 80 layers, too
  own_rules,    ///< its mixtures have rules of their own, and its head is stored in 8 bits
};

/// How files of a publisher's own code are known that name no model type: by keys that all of them have, and by one of some that says it
/// where the families before it in families.def have none.
struct FormatKeys {
  std::span<const Text> all = {};
  std::span<const Text> one_of = {};
  Text word = {};         ///< what its files may say as model_type all the same
  bool fallback = false;  ///< used when no other format's `one_of` key matches
};

/// Why a type's operations are not known, where nothing else is to be said.
constexpr Text unmatched = "The operations of this model type have not been matched with those of transformers.";

/// A model type: what its config.json names it and how it records its tensors.
struct Family {
  Text model_type;
  Text summary;  ///< what it is, in a line
  Classes classes;
  std::span<const Alias> aliases = {};  ///< other spellings of its fields (attribute_map in transformers)
  /// Reads the fields that the tensors depend on and records every tensor of the bare model.
  BackboneOutput (*backbone)(Config c, Builder& b);
  /// Records the head of `b.architecture()`; by default a decoder's.
  void (*head)(Config c, Builder& b, const BackboneOutput& backbone) = nullptr;
  bool own_code = false;           ///< transformers lacks the type: counted is what the code builds that is published with the models
  bool any_type = false;           ///< its classes are its own whatever model_type is named: a draft names that of its target's kind
  Cache cache = {};                ///< what it keeps while it generates
  Text uncomputed = {};            ///< why its operations are not known, where its cache is
  PredictionLayers predicts = {};  ///< what its files hold beside, to predict further tokens
  PeftExperts peft = {};           ///< what adapters make of its mixture
  Gguf gguf = Gguf::usual;         ///< how llama.cpp quantises it
  FormatKeys format_keys = {};     ///< how its files are known, where they name no model type
};

}  // namespace param_ledger
