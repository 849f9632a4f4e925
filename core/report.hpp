#pragma once

#include <string>
#include <string_view>

namespace param_ledger {

/// The bytes of a config.json in, the answer as JSON text out: a count, or a refusal that names the field.
/// Never throws. The answer's form is documented in web/lib/raw.ts.
std::string count(std::string_view config_text);

/// The same with the sums alone, for those who count many.
std::string totals(std::string_view config_text);

/// Several configurations beside one another: `{"configs": [...]}` with two to four of them in, where they differ and why out.
std::string compare(std::string_view request);

/// What can be counted and what the words of an answer mean, as JSON text.
std::string catalog();

}  // namespace param_ledger
