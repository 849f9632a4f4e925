#include "core/report.hpp"

#include <exception>
#include <new>

#include "core/answer.hpp"
#include "core/compare.hpp"
#include "core/json_text.hpp"
#include "core/model.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

/// What `answer()` gives, or the refusal: the only catch.
template <class Answer>
std::string answered(const Answer& answer) {
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

std::string compare(std::string_view request) {
  return answered([&] {
    const Document document(request);
    return compare_answer(document.root()["configs"]);
  });
}

std::string catalog() { return catalog_answer(); }

}  // namespace param_ledger
