#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/model.hpp"
#include "core/support/count.hpp"

namespace param_ledger {

/// Something that names a model on the Hub but is not its configuration: the Hub's API answer, an adapter's configuration, or a training
/// recipe.
struct NamedModel {
  std::string_view what;                              ///< "hub", "adapter", "recipe"
  std::string id;                                     ///< as `owner/name`; empty if it is a local folder or missing
  std::optional<Count> parameters;                    ///< from the Hub: elements of the published files
  std::vector<std::pair<std::string, Count>> dtypes;  ///< these elements by number type
  std::string adapter;                                ///< the adapter's type as spelled: "LORA"
  std::string lora;       ///< the request for training_of(); empty if it is not an adapter, or not one that is counted
  std::string uncounted;  ///< why an adapter is not counted
};

/// Reads JSON or YAML. None if the text is not one of these.
std::optional<NamedModel> named_model(std::string_view text);

/// The parameters that the adapter adds to a model. None if they are not known; `why` then gives the reason.
std::optional<Count> adapter_parameters(const NamedModel& named, const Model& model, std::string& why);

}  // namespace param_ledger
