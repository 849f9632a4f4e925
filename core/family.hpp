#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/builder.hpp"
#include "core/config.hpp"

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
};

/// One class of a family: its name, its head, and the module that holds the backbone in it (empty: it is the backbone).
struct Architecture {
  std::string_view name;
  Head head;
  std::string_view backbone;
};

/// A model type: what its config.json names it and how it records its tensors.
struct Family {
  std::string_view model_type;
  std::string_view summary;                     ///< what it is, in a line
  std::span<const Architecture> architectures;  ///< the first is counted where the configuration names none
  std::span<const Alias> aliases;               ///< other spellings of its fields (attribute_map in transformers)
  /// Reads the fields that the tensors depend on and records every tensor of `b.architecture()`.
  void (*record)(Config& c, Builder& b);
};

}  // namespace param_ledger
