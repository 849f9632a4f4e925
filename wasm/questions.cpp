// Questions that only the whole program answers: everything beyond a count.

#include <emscripten/bind.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/api/report.hpp"
#include "wasm/bindings.hpp"

namespace param_ledger::wasm {

namespace {

/// The texts of a question with several: their number, the bytes of each, then the texts (`packTexts` in web/core/write-input.ts, which
/// writes 32-bit numbers in this machine's byte order).
std::vector<std::string_view> texts() {
  std::string_view rest = question();
  const auto number = [&] {
    std::uint32_t out = 0;
    if (rest.size() < sizeof out) return out;
    std::memcpy(&out, rest.data(), sizeof out);
    rest.remove_prefix(sizeof out);
    return out;
  };
  const std::uint32_t count = number();
  if (count > rest.size() / sizeof count) return {};  // each text has at least a size
  std::vector<std::size_t> sizes(count);
  for (std::size_t& size : sizes) size = number();
  std::vector<std::string_view> out;
  for (const std::size_t size : sizes) {
    out.push_back(rest.substr(0, size));
    rest.remove_prefix(out.back().size());
  }
  return out;
}

/// Wraps a question about a configuration and a request.
template <std::string (*answer_to)(std::string_view, std::string_view)>
emscripten::val ask_of() {
  const std::vector<std::string_view> given = texts();
  return answered(given.size() == 2 ? answer_to(given[0], given[1]) : std::string());
}

emscripten::val ask_compare() { return answered(compare(texts())); }

/// The page's current search; only one at a time.
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
               {"devices", &wasm::ask_of<devices>},
               {"compare", &wasm::ask_compare},
               {"derive", &wasm::ask<derive>},
               {"check", &wasm::ask_of<check>},
               {"article", &wasm::ask<article>},
               {"lesson", &wasm::ask_of<lesson>},
               {"search", &wasm::ask_of<wasm::begin_search>},
               {"search_step", &wasm::ask<wasm::step_search>}});
}
