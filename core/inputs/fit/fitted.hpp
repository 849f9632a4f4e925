#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/inputs/fit/fit_settings.hpp"
#include "core/inputs/printed/printed_match.hpp"
#include "core/json/json_text.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// A field that the parameters of a printed model depend on, and of which its text says nothing.
struct OpenField {
  std::string field;             ///< dotted
  std::string assumed;           ///< what it is taken to be, as JSON text
  std::vector<std::string> in;   ///< tensors that depend on it, whose shapes are not shown; none of a switch
  std::optional<Count> other;    ///< of a switch or a word: the parameters of the model with another value, which is `other_value`
  std::string other_value = {};  ///< as JSON text
};

/// A configuration found for a printed model: of the family that its class names, with the dimensions that its text shows.
struct Fitted {
  std::string prefix;  ///< of the names of what was recognised: wrappers' modules are around it
  std::string config;  ///< as JSON text: what the text says, what was given, and what else the model needs to be that of the text
  std::unique_ptr<Document> document;
  std::unique_ptr<Model> model;
  PrintedMatch match;
  std::vector<OpenField> open;
  bool agrees = false;               ///< the text may be that of this model
  std::vector<std::size_t> deduced;  ///< of match.hidden: those whose shapes follow from what the text says
  Count parameters = 0;              ///< of the model, with what is assumed
};

}  // namespace param_ledger
