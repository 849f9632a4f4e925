#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace param_ledger {

/// Counts a config.json. The answer is JSON: a count, or a refusal that names the field. Never throws. web/lib/core/raw.ts documents its
/// form.
std::string count(std::string_view config_text);

/// The totals only, for callers that count many configurations.
std::string totals(std::string_view config_text);

/// Checks each step of a worked article: see core/claims/article.hpp.
std::string article(std::string_view article_text);

/// The screens of a lesson with their numbers, or the judgement of an answer: see core/claims/lesson.hpp.
std::string lesson(std::string_view lesson_text, std::string_view request);

/// The derivation of a count, step by step: see core/derivation/derivation_answer.hpp.
std::string derive(std::string_view config_text);

/// The memory of a model during generation and training. The request: {"tokens": …, …}, see core/memory/memory.hpp.
std::string memory(std::string_view config_text, std::string_view request);

/// The memory per device under tensor, pipeline and expert parallelism. The request: {"tensor": 8, …}, see core/devices/devices.hpp.
std::string devices(std::string_view config_text, std::string_view request);

/// Explains a number such as "6.74B": Check in web/lib/types/claim-types.ts.
std::string check(std::string_view config_text, std::string_view claim);

/// Recognises pasted, dropped or piped bytes and reads them: tensors from file headers, lists and printed models, optionally compared with
/// a configuration. core/inputs/read.hpp describes the request.
std::string read(std::string_view request);

/// The byte ranges that `read` still needs from files to have all their headers: see core/inputs/read.hpp.
std::string wants(std::string_view request);

class Search;

/// A search for the configurations nearest to a target, in steps.
class SearchSession {
 public:
  SearchSession();
  ~SearchSession();
  SearchSession(const SearchSession&) = delete;
  SearchSession& operator=(const SearchSession&) = delete;

  /// Starts a search with the request of core/search/search.hpp, and runs for its `budget` of evaluations, or by default for some seconds.
  /// The answer says whether the search is done. Replaces an earlier search.
  std::string begin(std::string_view config_text, std::string_view request);
  /// Continues the search: {"budget": 100000}.
  std::string step(std::string_view request);

 private:
  std::unique_ptr<Search> search_;
};

/// Compares two to four configurations: where they differ and why. The answer has a refused one's error in its place.
std::string compare(std::span<const std::string_view> config_texts);

/// What can be counted, and what the words of an answer mean, as JSON.
std::string catalog();

}  // namespace param_ledger
