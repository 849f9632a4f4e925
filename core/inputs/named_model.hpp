#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/support/count.hpp"

namespace param_ledger {

/// A text that names a model on the Hub but is not its configuration: the Hub's API answer, an adapter's configuration, or a training
/// recipe.
struct NamedModel {
  std::string_view what;  ///< the kind of the text: "hub", "adapter" or "recipe"
  std::string id;  ///< the model's id on the Hub, such as `owner/name`; empty if the text gives what can only be a path, or no known model
  std::optional<Count> parameters;                    ///< the number of elements in the published files, according to the Hub
  std::vector<std::pair<std::string, Count>> dtypes;  ///< the number of elements of each dtype
  std::string adapter;                                ///< the adapter's type as peft spells it: "LORA"
  std::string
      lora;  ///< the adapter's settings for training_of(), as JSON; empty if there is no adapter, or if its parameters are not counted
  std::string uncounted;  ///< why the adapter is not counted; otherwise empty
};

/// Parses JSON or YAML. None if the text is neither an API answer, nor an adapter's configuration, nor a training recipe.
std::optional<NamedModel> named_model(std::string_view text);

/// The number of parameters that training the adapter updates in the model of a configuration, including `modules_to_save`. None without an
/// adapter, and if the adapter is not counted. `why` then says why it is not counted. Throws Error if the configuration cannot be counted.
std::optional<Count> adapter_parameters(const NamedModel& named, std::string_view config_text, std::string& why);

}  // namespace param_ledger
