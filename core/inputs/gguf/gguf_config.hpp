#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/inputs/gguf/gguf.hpp"
#include "core/inputs/gguf/gguf_names.hpp"
#include "core/json/json_text.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// What a GGUF file was converted from, by its own words: the model type of its architecture with the hyperparameters that it says.
struct GgufModel {
  std::string config;  ///< as JSON text
  std::unique_ptr<Document> document;
  std::unique_ptr<Model> model;
};

/// Finds it. Nothing for an architecture that has no such model here, or where what the file says makes none: `why` says so.
std::optional<GgufModel> gguf_model(const GgufHead& head, const std::vector<ListedRow>& rows, std::string& why);

/// The configuration that a head and the tensors named say, as JSON text; empty for an architecture that is not known.
std::string gguf_config(const GgufHead& head, const std::vector<ListedRow>& rows);

/// True where the names of an architecture's tensors are known.
bool knows_gguf_names(std::string_view architecture);

}  // namespace param_ledger
