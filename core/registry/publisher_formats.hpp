#pragma once

#include <span>

#include "core/config/config.hpp"
#include "core/json/json.hpp"
#include "core/support/text.hpp"

// Configurations that are no config.json: the files that publishers' own code reads (params.json and its like). They name no model
// type, and say by few keys what a model is: so all keys of such a format are known here, and another one is refused.
namespace param_ledger {

struct Family;

/// The family of a configuration of such a format, told by its keys; null where it is none, or of a family that is not here.
const Family* publisher_family(Json root);

/// The section of that name, or null where it is missing or null.
ConfigReader* stated_section(Config c, Text name);

/// Refuses a key of the section that was not read and is none of `harmless`; one without a value says nothing. To be called once all is
/// read.
void refuse_unknown_keys(Config c, std::span<const Text> harmless);

}  // namespace param_ledger
