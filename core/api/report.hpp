#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace param_ledger {

/// The bytes of a config.json in, the answer as JSON text out: a count, or a refusal that names the field.
/// Never throws. The answer's form is documented in web/lib/core/raw.ts.
std::string count(std::string_view config_text);

/// The same with the sums alone, for those who count many.
std::string totals(std::string_view config_text);

/// What each step of a worked article is worth: see core/claims/article.hpp.
std::string article(std::string_view article_text);

/// A configuration's count step by step, as a person would write it: core/derivation/derivation_answer.hpp.
std::string derive(std::string_view config_text);

/// What a model takes while it generates and while it is trained. The request: {"tokens": …, …}, see core/memory/memory.hpp.
std::string memory(std::string_view config_text, std::string_view request);

/// What each device holds under tensor, pipeline and expert parallelism. The request: {"tensor": 8, …}, see core/devices/devices.hpp.
std::string devices(std::string_view config_text, std::string_view request);

/// How people come to a number that they write as "6.74B": Check in web/lib/types/claim-types.ts.
std::string check(std::string_view config_text, std::string_view claim);

/// What pasted, dropped or piped bytes are, and what they hold: tensors read from files' headers, lists and printed models, perhaps checked
/// against a configuration. The request's form is that of core/inputs/read.hpp.
std::string read(std::string_view request);

/// Which bytes of files are to be read before `read` has all of their heads: see core/inputs/read.hpp.
std::string wants(std::string_view request);

class Search;

/// A search for the configurations nearest to a target, which goes on from call to call.
class SearchSession {
 public:
  SearchSession();
  ~SearchSession();
  SearchSession(const SearchSession&) = delete;
  SearchSession& operator=(const SearchSession&) = delete;

  /// Begins with the request of core/search/search.hpp, and works for its `budget` of evaluations, or some seconds where there is none;
  /// the answer says whether it is done. A search that was begun before is dropped.
  std::string begin(std::string_view config_text, std::string_view request);
  /// Goes on with the search that was begun: {"budget": 100000}.
  std::string step(std::string_view request);

 private:
  std::unique_ptr<Search> search_;
};

/// Two to four configurations beside one another: where they differ and why. One that is refused says so in its place.
std::string compare(std::span<const std::string_view> config_texts);

/// What can be counted and what the words of an answer mean, as JSON text.
std::string catalog();

}  // namespace param_ledger
