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

/// The head that a class adds to the backbone.
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
  other,  ///< a head that only one type has; it depends on the class's name
};

/// A class of a family: its name, its head, and the module of the backbone (empty: the class is the backbone).
struct Architecture {
  Text name;
  Head head;
  Text backbone;
};

/// The heads of conventionally named classes: …ForCausalLM, …ForConditionalGeneration, …Model, …ForSequenceClassification,
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

/// The classes of a family: those with the conventional names (`prefix` and a head), with the backbone in module `backbone`, and those that
/// are listed. If a configuration names none, the first is counted: …ForConditionalGeneration, then by bits, then as listed.
struct Classes {
  Text prefix = {};
  unsigned heads = 0;
  Text backbone = "model";
  Text question_backbone = {};  ///< the backbone's module in …ForQuestionAnswering, if it differs
  std::span<const Architecture> listed = {};
};

/// What a head needs to know about its backbone.
struct BackboneOutput {
  Expr hidden;                  ///< width of the last hidden state
  Tensor embedding = {};        ///< the token embedding table, which the head may be tied to
  Tensor bias = {};             ///< the bias of a head inside the backbone, which another head may be tied to
  Expr vocabulary = {};         ///< rows of the head; empty: the rows of the table
  bool tie_by_default = false;  ///< the default of tie_word_embeddings
  Text language_model = {};     ///< the module of the language model head; empty: "lm_head"
  bool language_model_bias = false;
  std::span<const Expr> stages = {};  ///< output widths of the stem and the stages, if the backbone has stages; kept in the pool
  Text token_classifier = {};         ///< the module of the token classification head; empty: "score", which may have no bias
};

/// Multi-token-prediction layers: where published files store them, and which field gives their number.
struct PredictionLayers {
  enum class Place : std::uint8_t {
    none,
    unknown,               ///< files contain some, because transformers lists them as ignored; their contents are not documented
    appended,              ///< after the model's layers, each with its own input projection
    appended_with_tables,  ///< after the model's layers, each with its own input projection and copies of the embedding table and the head
    beside,                ///< `model.mtp_layers`, each with its own input projection
    apart,                 ///< `mtp.layers`, with one input projection for all
    pattern,               ///< `mtp.layers`, each of the kind that a pattern of letters gives; only the first has an input projection
  };
  Place place = Place::none;
  Text field = {}, section = {};
  bool always = true;  ///< published files contain one layer if the field is missing
};

/// How peft adapts a type's mixture. Its experts are two parameters, gate_up and down, each stacked over all experts; its router is not a
/// linear layer.
enum class PeftExperts : std::uint8_t {
  unknown,       ///< not compared
  converted,     ///< module names of single experts select these parameters and the router, and nothing else
  parameters,    ///< module names select only modules
  router_apart,  ///< module names select only modules; the router is a linear layer and thus one of them
};

/// Special cases of llama.cpp's quantization for a type.
enum class Gguf : std::uint8_t {
  usual,        ///< none; the rules for a model with 80 layers are not known
  known_large,  ///< none, also with 80 layers
  own_rules,    ///< its mixtures have special rules, and its head is stored in 8 bits
};

/// How to recognise a publisher's own format, which names no model type. All its files have the keys of `all`, and at least one key of
/// `one_of`, unless an earlier family in families.def matches.
struct FormatKeys {
  std::span<const Text> all = {};
  std::span<const Text> one_of = {};
  Text word = {};         ///< a model_type that its files may name
  bool fallback = false;  ///< used when no other format's `one_of` key matches
};

/// The default reason why a type's operations are not known.
constexpr Text unmatched = "The operations of this model type have not been compared with those of transformers.";

/// A model type: its name in config.json and how its tensors are recorded.
struct Family {
  Text model_type;
  Text summary;  ///< one line
  Classes classes;
  std::span<const Alias> aliases = {};  ///< other spellings of its fields (attribute_map in transformers)
  /// Reads the fields that the tensors depend on, and records every tensor of the bare model.
  BackboneOutput (*backbone)(Config c, Builder& b);
  /// Records the head of `b.architecture()`; null: a decoder's.
  void (*head)(Config c, Builder& b, const BackboneOutput& backbone) = nullptr;
  bool own_code = false;           ///< not in transformers: counted as the code published with the models builds it
  bool any_type = false;           ///< its classes apply to any model_type: draft models name the type of their target
  Cache cache = {};                ///< what it keeps during generation
  Text uncomputed = {};            ///< why its operations are not known, if its cache is
  PredictionLayers predicts = {};  ///< the prediction layers in its files
  PeftExperts peft = {};           ///< how adapters treat its mixture
  Gguf gguf = Gguf::usual;         ///< special cases of llama.cpp's quantization
  FormatKeys format_keys = {};     ///< how its files are recognised without a model type
};

}  // namespace param_ledger
