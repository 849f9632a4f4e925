#include "core/api/report.hpp"

#include <exception>
#include <memory>
#include <new>

#include "core/claims/article.hpp"
#include "core/claims/claim.hpp"
#include "core/compare/compare.hpp"
#include "core/derivation/derivation_answer.hpp"
#include "core/inputs/read.hpp"
#include "core/json/json_fields.hpp"
#include "core/json/json_text.hpp"
#include "core/memory/memory.hpp"
#include "core/model/answer.hpp"
#include "core/model/model.hpp"
#include "core/search/search.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// What `answer()` gives, or the refusal: the only catch.
template <class Ask>
std::string answered(const Ask& answer) {
  Error error{ErrorCode::internal, "", ""};
  try {
    return answer();
  } catch (const Error& e) {
    error = e;
  } catch (const std::bad_alloc&) {
    error = {ErrorCode::too_large, "", "This takes more memory than there is."};
  } catch (const std::exception& e) {
    error.message = concat({"A defect of Param Ledger: ", e.what()});
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

std::string derive(std::string_view config_text) {
  return answered([&] { return derivation_answer(Document(config_text).root()); });
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

namespace {

/// The search that goes on: one at a time.
std::unique_ptr<Search> running;

/// Where the request says none: some seconds.
constexpr std::uint64_t usual_budget = 5'000'000;

/// Goes on for as long as the request says.
std::string search_on(Json request) {
  running->run(static_cast<std::uint64_t>(number_in(request, "budget", usual_budget)));
  return running->answer();
}

}  // namespace

std::string search(std::string_view config_text, std::string_view request) {
  return answered([&] {
    running = nullptr;
    const Document document(request);
    running = std::make_unique<Search>(std::string(config_text), document.root());
    return search_on(document.root());
  });
}

std::string search_step(std::string_view request) {
  return answered([&] {
    const Document document(request);
    if (running == nullptr) throw Error{ErrorCode::missing_field, "", "There is no search to go on with."};
    return search_on(document.root());
  });
}

std::string compare(std::span<const std::string_view> config_texts) {
  return answered([&] { return compare_answer(config_texts); });
}

std::string catalog() { return catalog_answer(); }

}  // namespace param_ledger
