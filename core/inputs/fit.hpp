#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/inputs/check.hpp"
#include "core/json_text.hpp"
#include "core/model.hpp"

namespace param_ledger {

/// A configuration found for a printed model: of the family that its class names, with the dimensions that its text shows.
struct Fitted {
  std::string config;  ///< as JSON text
  std::unique_ptr<Document> document;
  std::unique_ptr<Model> model;
  Comparison comparison;
  std::vector<std::string> assumed;  ///< fields that what is not shown depends on, and of which the text says nothing: the class's defaults
};

/// Solves the shapes that a family records for the numbers that were printed. Heads, which no printed shape tells from their width, are
/// taken to be of the usual width. Nothing where the class is of no known family, or most of what was printed is not in it.
std::optional<Fitted> fit(std::string_view class_name, const std::vector<ListedRow>& rows);

}  // namespace param_ledger
