#include "core/api/report.hpp"

#include <exception>
#include <memory>
#include <new>

#include "core/claims/article.hpp"
#include "core/claims/claim.hpp"
#include "core/claims/lesson.hpp"
#include "core/compare/compare.hpp"
#include "core/derivation/counterfactuals.hpp"
#include "core/derivation/derivation_answer.hpp"
#include "core/devices/devices.hpp"
#include "core/inputs/read.hpp"
#include "core/json/json_fields.hpp"
#include "core/json/json_text.hpp"
#include "core/memory/memory.hpp"
#include "core/memory/operations.hpp"
#include "core/model/answer.hpp"
#include "core/model/model.hpp"
#include "core/search/search.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Returns what `answer` returns or, if it throws, the error as JSON. Exceptions are caught only here and in core/support/attempt.hpp.
template <class Ask>
std::string answered(const Ask& answer) {
  Error error{ErrorCode::internal, "", ""};
  try {
    return answer();
  } catch (const Error& e) {
    error = e;
  } catch (const std::bad_alloc&) {
    error = {ErrorCode::too_large, "", "Not enough memory."};
  } catch (const std::exception& e) {
    error.message = concat({"A bug in Param Ledger: ", e.what()});
  }
  return refusal_answer(error);
}

}  // namespace

std::string count(std::string_view config_text) {
  return answered([&] {
    const Document document(config_text);
    return count_answer(Model(document));
  });
}

std::string totals(std::string_view config_text) {
  return answered([&] {
    const Document document(config_text);
    return totals_answer(Model(document));
  });
}

std::string article(std::string_view article_text) {
  return answered([&] { return article_answer(Document(article_text).root()); });
}

std::string lesson(std::string_view lesson_text, std::string_view request) {
  return answered([&] {
    const Document lesson(lesson_text), asked(request);
    return lesson_answer(lesson.root(), asked.root());
  });
}

std::string derive(std::string_view config_text) {
  return answered([&] { return derivation_answer(Document(config_text).root()); });
}

std::string counterfactuals(std::string_view config_text) {
  return answered([&] { return counterfactuals_answer(Document(config_text).root()); });
}

std::string check(std::string_view config_text, std::string_view claim) {
  return answered([&] { return check_answer(Document(config_text).root(), claim); });
}

std::string read(std::string_view request) {
  return answered([&] { return read_answer(request); });
}

std::string wants(std::string_view request) {
  return answered([&] { return wants_answer(request); });
}

std::string memory(std::string_view config_text, std::string_view request) {
  return answered([&] {
    const Document config(config_text), asked(request);
    return memory_answer(config.root(), asked.root());
  });
}

std::string operations(std::string_view config_text, std::string_view request) {
  return answered([&] {
    const Document config(config_text), asked(request);
    return operations_answer(config.root(), asked.root());
  });
}

std::string devices(std::string_view config_text, std::string_view request) {
  return answered([&] {
    const Document config(config_text), asked(request);
    return devices_answer(config.root(), asked.root());
  });
}

namespace {

/// Runs the search for the number of evaluations in the request's `budget`, or for a default number.
std::string run(Search& search, Json request) {
  constexpr std::uint64_t usual_budget = 5'000'000;
  search.run(static_cast<std::uint64_t>(number_in(request, "budget", usual_budget)));
  return search.answer();
}

}  // namespace

SearchSession::SearchSession() = default;
SearchSession::~SearchSession() = default;

std::string SearchSession::begin(std::string_view config_text, std::string_view request) {
  return answered([&] {
    search_ = nullptr;
    const Document document(request);
    search_ = std::make_unique<Search>(std::string(config_text), document.root());
    return run(*search_, document.root());
  });
}

std::string SearchSession::step(std::string_view request) {
  return answered([&] {
    const Document document(request);
    if (search_ == nullptr) throw Error{ErrorCode::missing_field, "", "No search has begun."};
    return run(*search_, document.root());
  });
}

std::string compare(std::span<const std::string_view> config_texts) {
  return answered([&] { return compare_answer(config_texts); });
}

std::string catalog() {
  return answered([] { return catalog_answer(); });
}

}  // namespace param_ledger
