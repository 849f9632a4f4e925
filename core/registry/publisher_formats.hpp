#pragma once

#include <span>

#include "core/config/config.hpp"
#include "core/json/json.hpp"
#include "core/support/text.hpp"

// Recognises configurations other than transformers' config.json: the files of publishers' own code, such as params.json. They have no
// model_type and few keys. All keys of such a format are known here, and any other key is refused.
namespace param_ledger {

struct Family;

/// The family whose publisher's format has the keys of this configuration. Null if there is none, or if the family is not in this program.
const Family* publisher_family(Json root);

/// The section with this name; null if it is missing or null in the configuration.
ConfigReader* given_section(Config c, Text name);

/// Throws an Error for a key of the section that has a value, was not read, and is not in `harmless`. Call it after all fields were read.
void refuse_unknown_keys(Config c, std::span<const Text> harmless);

}  // namespace param_ledger
