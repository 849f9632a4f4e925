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

/// The original model of a GGUF file: the model type that belongs to the file's architecture, with the hyperparameters from the file's
/// metadata and tensors.
struct GgufModel {
  std::string config;  ///< the configuration of the original model, as JSON
  std::unique_ptr<Document> document;
  std::unique_ptr<Model> model;
};

/// Finds the original model of a GGUF file. None if the file is an adapter, its architecture is unknown or its metadata is invalid. `why`
/// then gives the reason.
std::optional<GgufModel> gguf_model(const GgufHead& head, const std::vector<ListedRow>& rows, std::string& why);

/// The configuration that a GGUF file's metadata and tensors imply, as JSON; empty for an unknown architecture.
std::string gguf_config(const GgufHead& head, const std::vector<ListedRow>& rows);

/// Whether the original model type of a GGUF architecture is known, and therefore the original names of its tensors.
bool knows_gguf_names(std::string_view architecture);

}  // namespace param_ledger
