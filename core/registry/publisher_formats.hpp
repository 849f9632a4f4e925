#pragma once

#include <span>

#include "core/config/config.hpp"
#include "core/json/json.hpp"
#include "core/support/text.hpp"

// Recognises configurations other than transformers' config.json, such as a publisher's params.json, by their keys. Most of these formats
// have no model_type. A family that knows all keys of its format refuses any other key.
namespace param_ledger {

struct Family;

/// The family whose format (Family::format_keys) matches the keys of this configuration. Null if there is none in this program.
const Family* publisher_family(Json root);

/// The section with this name; null if it is missing or null in the configuration. Either way, the field counts as read.
ConfigReader* given_section(Config c, Text name);

/// Throws an Error for a key of the section that has a value, was not read, and is not in `harmless`. Call it after all fields were read.
void refuse_unknown_keys(Config c, std::span<const Text> harmless);

}  // namespace param_ledger
