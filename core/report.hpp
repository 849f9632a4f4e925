#pragma once

#include <string>
#include <string_view>

namespace param_ledger {

/// The bytes of a config.json in, the answer as JSON text out: a count, or a refusal that names the field.
/// Never throws. The answer's form is documented in web/lib/core/raw.ts.
std::string count(std::string_view config_text);

/// The same with the sums alone, for those who count many.
std::string totals(std::string_view config_text);

/// What each step of a worked article is worth, of {"article": {…}}: see core/article.hpp.
std::string article(std::string_view request);

/// A configuration's count step by step, as a person would write it: core/derivation_answer.hpp.
std::string derive(std::string_view config_text);

/// What a model takes while it generates and while it is trained. The request: {"config": {…}, "tokens": …}.
std::string memory(std::string_view request);

/// How people come to a number, of {"config": {…}, "claim": "6.74B"}: Check in web/lib/types.ts.
std::string check(std::string_view request);

/// What pasted, dropped or piped bytes are, and what they hold: tensors read from files' headers, lists and printed models, perhaps checked
/// against a configuration. The request's form is that of core/inputs/read.hpp.
std::string read(std::string_view request);

/// Which bytes of files are to be read before `read` has all of their heads: see core/inputs/read.hpp.
std::string wants(std::string_view request);

/// The configurations nearest to a target: begins with the request of core/search.hpp, and works for its `budget` of evaluations, or
/// some seconds where there is none; the answer says whether it is done.
std::string search(std::string_view request);
/// Goes on with the search that was begun: {"budget": 100000}.
std::string search_step(std::string_view request);

/// Several configurations beside one another: `{"configs": [...]}` with two to four of them in, where they differ and why out.
std::string compare(std::string_view request);

/// What can be counted and what the words of an answer mean, as JSON text.
std::string catalog();

}  // namespace param_ledger
