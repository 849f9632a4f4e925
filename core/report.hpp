#pragma once

#include <string>
#include <string_view>

namespace param_ledger {

/// The bytes of a config.json in, the answer as JSON text out: a count, or a refusal that names the field.
/// Never throws. The answer's form is documented in web/types.d.ts.
std::string count(std::string_view config_text);

/// The model types that can be counted, as JSON text; `Catalog` in web/types.d.ts.
std::string catalog();

}  // namespace param_ledger
