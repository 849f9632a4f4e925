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

/// The original model of a GGUF file, from its metadata: the model type of its architecture, with the file's hyperparameters.
struct GgufModel {
  std::string config;  ///< as JSON
  std::unique_ptr<Document> document;
  std::unique_ptr<Model> model;
};

/// Finds the original model. None if the architecture is unknown here or the metadata is invalid; `why` gives the reason.
std::optional<GgufModel> gguf_model(const GgufHead& head, const std::vector<ListedRow>& rows, std::string& why);

/// The configuration from a header and tensor names, as JSON; empty for an unknown architecture.
std::string gguf_config(const GgufHead& head, const std::vector<ListedRow>& rows);

/// Whether the tensor names of an architecture are known.
bool knows_gguf_names(std::string_view architecture);

}  // namespace param_ledger
