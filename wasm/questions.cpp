// The questions that, of the programs for JavaScript, only the full one answers: all except counting and the catalogue.

#include <emscripten/bind.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/api/report.hpp"
#include "wasm/bindings.hpp"
#include "wasm/texts.hpp"

namespace param_ledger::wasm {

namespace {

/// Wraps a function of two texts, such as a configuration and a request. The answer is empty if the question has not exactly two texts.
template <std::string (*answer_to)(std::string_view, std::string_view)>
emscripten::val ask_of() {
  const std::vector<std::string_view> given = texts(question());
  return answered(given.size() == 2 ? answer_to(given[0], given[1]) : std::string());
}

emscripten::val ask_compare() { return answered(compare(texts(question()))); }

/// The current search. Beginning another one ends it.
SearchSession& session() {
  static SearchSession one;
  return one;
}

std::string begin_search(std::string_view config_text, std::string_view request) { return session().begin(config_text, request); }
std::string step_search(std::string_view request) { return session().step(request); }

}  // namespace

}  // namespace param_ledger::wasm

EMSCRIPTEN_BINDINGS(questions) {
  using namespace param_ledger;
  wasm::offer({{"read", &wasm::ask<read>},
               {"wants", &wasm::ask<wants>},
               {"memory", &wasm::ask_of<memory>},
               {"operations", &wasm::ask_of<operations>},
               {"devices", &wasm::ask_of<devices>},
               {"compare", &wasm::ask_compare},
               {"derive", &wasm::ask<derive>},
               {"counterfactuals", &wasm::ask<counterfactuals>},
               {"check", &wasm::ask_of<check>},
               {"article", &wasm::ask<article>},
               {"lesson", &wasm::ask_of<lesson>},
               {"search", &wasm::ask_of<wasm::begin_search>},
               {"search_step", &wasm::ask<wasm::step_search>}});
}
