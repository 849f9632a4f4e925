#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/model.hpp"
#include "core/support/count.hpp"

namespace param_ledger {

/// What names a model of the Hub and is no configuration of it: what the Hub's API says of it, an adapter's configuration, a recipe that
/// trains it.
struct NamedModel {
  std::string_view what;                              ///< "hub", "adapter", "recipe"
  std::string id;                                     ///< as `owner/name`; empty where it is a folder of somebody's, or not said
  std::optional<Count> parameters;                    ///< as the Hub says them: elements of the published files
  std::vector<std::pair<std::string, Count>> dtypes;  ///< the same by type
  std::string adapter;                                ///< its kind, as it is spelled: "LORA"
  std::string lora;       ///< the request that training_of() takes; empty where it is none, or none that is counted
  std::string uncounted;  ///< why an adapter is not
};

/// None where the text is none of these: JSON or YAML.
std::optional<NamedModel> named_model(std::string_view text);

/// The parameters that the adapter trains beside a model; none where that is not known, and `why` says so.
std::optional<Count> adapter_parameters(const NamedModel& named, const Model& model, std::string& why);

}  // namespace param_ledger
