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

/// A field that affects the parameters of a printed model and that its text does not determine.
struct OpenField {
  std::string field;             ///< dotted
  std::string assumed;           ///< the assumed value, as JSON
  std::vector<std::string> in;   ///< hidden tensors that depend on it; empty for a switch
  std::optional<Count> other;    ///< for a switch or a word: the parameters with the alternative `other_value`
  std::string other_value = {};  ///< as JSON
};

/// The configuration found for a printed model. The class name gives the family, and the text the dimensions.
struct Fitted {
  std::string prefix;  ///< the prefix of the recognised modules; wrappers are outside of it
  std::string config;  ///< as JSON: what the text determines, what was given, and what else is needed to match the text
  std::unique_ptr<Document> document;
  std::unique_ptr<Model> model;
  PrintedMatch match;
  std::vector<OpenField> open;
  bool agrees = false;               ///< the text does not contradict the model
  std::vector<std::size_t> deduced;  ///< positions in match.hidden: tensors whose shapes follow from the text
  Count parameters = 0;              ///< of the model, with assumed fields
};

}  // namespace param_ledger
