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
  other,  ///< a head without a value of its own in this enum; the name of the class identifies it
};

/// A class of a family: its name, its head, and the module that contains the backbone (empty: the names of the backbone's tensors have no
/// prefix).
struct Architecture {
  Text name;
  Head head;
  Text backbone;
};

/// Bits for Classes::heads. Each is a head whose classes have conventional names: …ForCausalLM, …ForConditionalGeneration, …Model,
/// …ForSequenceClassification, …ForTokenClassification, …ForQuestionAnswering, …ForMaskedLM, …ForMultipleChoice,
/// …ForNextSentencePrediction, …ForPreTraining, …ForImageClassification, …ForMaskedImageModeling, …ForVideoClassification,
/// …ForAudioClassification, …ForAudioFrameClassification, …ForXVector, …ForCTC, …ForObjectDetection, …ForSemanticSegmentation,
/// …ForUniversalSegmentation, …ForDepthEstimation, …Backbone.
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

/// The classes of a family. Those of `heads` have conventional names, `prefix` followed by the name of a head, and except in …Model and
/// …Backbone their backbone is the module `backbone` or, for question answering, `question_backbone` if it is set. `listed` has all others.
/// If a configuration names no class, the first one of the family is counted: those of `heads` come first, in the order
/// …ForConditionalGeneration, …ForCausalLM, …Model, and then as in `conventions` (core/registry/registry.cpp); `listed` comes last. If
/// is_encoder_decoder is false, a causal language model replaces a first class for conditional generation.
struct Classes {
  Text prefix = {};
  unsigned heads = 0;
  Text backbone = "model";
  Text question_backbone = {};  ///< the backbone's module in …ForQuestionAnswering, if it is not `backbone`
  std::span<const Architecture> listed = {};
};

/// What a head needs to know about its backbone.
struct BackboneOutput {
  Expr hidden;                  ///< width of the backbone's output; empty if it has no single width
  Tensor embedding = {};        ///< the tensor that the head may be tied to, usually the token embedding table
  Tensor bias = {};             ///< the bias of a head inside the backbone, which another head may be tied to
  Expr vocabulary = {};         ///< rows of the output head; empty: as many as the embedding table has
  bool tie_by_default = false;  ///< the default of tie_word_embeddings
  Text language_model = {};     ///< the module of the language model head; null: "lm_head"
  bool language_model_bias = false;
  std::span<const Expr> stages = {};  ///< output widths of the stages, in most types preceded by that of the stem; empty: no stages
  Text token_classifier = {};         ///< the module of the token classification head; null: "score", with an optional bias
};

/// Multi-token-prediction layers: where published files store them, and which field gives their number.
struct PredictionLayers {
  enum class Place : std::uint8_t {
    none,
    unknown,               ///< stored in published files (transformers ignores their keys when loading), but in an undocumented layout
    appended,              ///< after the model's layers, each with its own input projection
    appended_with_tables,  ///< after the model's layers, each with its own input projection and copies of the embedding table and the head
    beside,                ///< `model.mtp_layers`, each with its own input projection
    apart,                 ///< `mtp.layers`, with one input projection for all
    pattern,               ///< `mtp.layers`; a pattern of letters or a list of words gives their kinds; only the first has a projection
  };
  Place place = Place::none;
  Text field = {}, section = {};
  bool always = true;  ///< if the field is missing, some published files contain one layer
};

/// How peft adapts the mixture of experts of a model type. Unless this is `unknown`, the experts of a layer are two stacked
/// parameters, gate_up and down. The router is a linear layer only with `router_apart`.
enum class PeftExperts : std::uint8_t {
  unknown,       ///< the adapted parameters have not been compared with peft
  converted,     ///< target modules that name the experts' projections or the router select these parameters or the router's weight, not
                 ///< modules
  parameters,    ///< target modules select only modules, not these parameters
  router_apart,  ///< target modules select only modules, not these parameters; the router is a linear layer and thus a module
};

/// Special cases of llama.cpp's quantization for a type.
enum class Gguf : std::uint8_t {
  usual,        ///< no special cases; whether the rule for 70B models applies to a model with 80 layers is not known
  known_large,  ///< no special cases except the rule for 70B models, which applies to a model with 80 layers
  own_rules,    ///< mixed formats such as Q4_K_M follow special rules, and the head is stored in 8 bits
};

/// How to recognise a publisher's own configuration format. Its files usually name no model type. A file matches if it has all keys of
/// `all` and at least one key of `one_of`. The first family in families.def that matches is used.
struct FormatKeys {
  std::span<const Text> all = {};
  std::span<const Text> one_of = {};
  Text word = {};         ///< a model_type that files in this format may nevertheless name
  bool fallback = false;  ///< used for a file with all keys of `all` if no format's `one_of` matches; the last such family counts
};

/// The usual value of Family::uncomputed, which explains why a type's operations are unknown.
constexpr Text unmatched = "The operations of this model type have not been compared with those of transformers.";

/// A model type: its name in config.json and how its tensors are recorded.
struct Family {
  Text model_type;
  Text summary;  ///< a one-line description
  Classes classes;
  std::span<const Alias> aliases = {};  ///< other spellings of its fields (attribute_map in transformers)
  /// Reads the fields that the tensors depend on, and records every tensor of the bare model.
  BackboneOutput (*backbone)(Config c, Builder& b);
  /// Records the head of `b.architecture()`. Null: `decoder_head` (core/nn/heads.hpp) records it.
  void (*head)(Config c, Builder& b, const BackboneOutput& backbone) = nullptr;
  bool own_code = false;           ///< not in transformers; counted as built by other code, usually that published with the models
  bool any_type = false;           ///< its classes are recognised with any model_type, because draft models state the target's model_type
  Cache cache = {};                ///< what it caches during generation
  Text uncomputed = {};            ///< why its operations are unknown although its cache is known
  PredictionLayers predicts = {};  ///< the multi-token-prediction layers in its published files
  PeftExperts peft = {};           ///< how peft adapts its mixture of experts
  Gguf gguf = Gguf::usual;         ///< special cases of llama.cpp's quantization
  FormatKeys format_keys = {};     ///< how its files are recognised without a model type
};

}  // namespace param_ledger
