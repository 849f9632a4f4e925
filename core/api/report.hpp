#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace param_ledger {

/// Counts a config.json. The answer is JSON (web/core/raw.ts): a count, or an error and the field that caused it, if there is one. Like all
/// functions here, reports errors in the answer instead of throwing.
std::string count(std::string_view config_text);

/// Like `count`, but gives only the model type, the class, the totals and the warnings, for callers that count many configurations.
std::string totals(std::string_view config_text);

/// Checks each step of a worked article: see core/claims/article.hpp.
std::string article(std::string_view article_text);

/// The screens of a lesson with their numbers, or the verdict on an answer to one of its questions: see core/claims/lesson.hpp.
std::string lesson(std::string_view lesson_text, std::string_view request);

/// The derivation of a count, step by step: see core/derivation/derivation_answer.hpp.
std::string derive(std::string_view config_text);

/// How many parameters the model would have without one of its design choices, or with a different choice: see
/// core/derivation/counterfactuals.hpp.
std::string counterfactuals(std::string_view config_text);

/// The memory of a model during generation and training. web/types/memory.ts documents the request: {"tokens": …, …}.
std::string memory(std::string_view config_text, std::string_view request);

/// The operations of a model under each counting convention, and its FLOPs utilization if the request gives a speed and the peak of the
/// hardware. web/types/operations.ts documents the request: {"tokens": …, …}.
std::string operations(std::string_view config_text, std::string_view request);

/// What each device holds under tensor, pipeline and expert parallelism, and what the devices send to each other. web/types/devices.ts
/// documents the request: {"tensor": 8, …}.
std::string devices(std::string_view config_text, std::string_view request);

/// Explains the numbers in a claim such as "6.74B" or "671B total, 37B activated". The type Check in web/types/claim.ts
/// describes the answer.
std::string check(std::string_view config_text, std::string_view claim);

/// Recognises pasted, dropped or piped bytes and reads them: configurations, and tensors from file headers, lists and printed models,
/// optionally compared with a configuration. core/inputs/read.hpp describes the request.
std::string read(std::string_view request);

/// The next byte ranges that `read` needs from the files, at most one per file: see core/inputs/read.hpp.
std::string wants(std::string_view request);

class Search;

/// A search for the configurations nearest to a target, run in steps.
class SearchSession {
 public:
  SearchSession();
  ~SearchSession();
  SearchSession(const SearchSession&) = delete;
  SearchSession& operator=(const SearchSession&) = delete;

  /// Starts a search, replacing an earlier one; web/types/search.ts documents the request. Runs for the number of evaluations in the
  /// request's `budget`, by default 5,000,000. The answer says whether the search is done.
  std::string begin(std::string_view config_text, std::string_view request);
  /// Continues the search with a request such as {"budget": 100000}.
  std::string step(std::string_view request);

 private:
  std::unique_ptr<Search> search_;
};

/// Compares two to four configurations: where they differ and why. An invalid configuration is represented by its error.
std::string compare(std::span<const std::string_view> config_texts);

/// The catalogue as JSON: the model types and classes that can be counted, the meanings of fields and totals, and names that answers give
/// by number.
std::string catalog();

}  // namespace param_ledger
