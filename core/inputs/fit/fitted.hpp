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

/// A field that affects the parameter count of a printed model but that the printed text does not determine.
struct OpenField {
  std::string field;             ///< the dotted path of the field
  std::string assumed;           ///< the assumed value, as JSON
  std::vector<std::string> in;   ///< hidden tensors whose shapes or number depend on the field; empty if `other` has a value
  std::optional<Count> other;    ///< if `in` is empty: the number of parameters with `other_value`
  std::string other_value = {};  ///< the alternative value, as JSON
};

/// The configuration found for a printed model. The family has the printed class. Fields that neither the printed text nor the request
/// determines are chosen or assumed.
struct Fitted {
  std::string prefix;  ///< the module path before the recognised model; modules outside it belong to wrappers
  std::string config;  ///< as JSON: the given fields, those that the printed text determines, and those that were chosen to match it
  std::unique_ptr<Document> document;
  std::unique_ptr<Model> model;
  PrintedMatch match;
  std::vector<OpenField> open;
  bool agrees = false;               ///< whether the printed text does not contradict the model, and the search finished within its budget
  std::vector<std::size_t> deduced;  ///< positions in match.hidden of the tensors whose shapes follow from the printed text
  Count parameters = 0;              ///< the number of unique parameters if open fields have their assumed values
};

}  // namespace param_ledger
