#pragma once

#include <span>

#include "core/config/config.hpp"
#include "core/json/json.hpp"
#include "core/support/text.hpp"

// Configurations other than config.json: the files of publishers' own code, such as params.json. They name no model type and have few keys.
// All keys of such a format are known here, and any other key is refused.
namespace param_ledger {

struct Family;

/// The family of a configuration in such a format, recognised by its keys. Null if it is not in one, or if the family is not in this
/// program.
const Family* publisher_family(Json root);

/// The section of that name, or null if it is missing or null.
ConfigReader* given_section(Config c, Text name);

/// Refuses a key of the section that has a value, was not read, and is not in `harmless`. Call it after all reads.
void refuse_unknown_keys(Config c, std::span<const Text> harmless);

}  // namespace param_ledger
