// What only the whole program is asked: everything beyond a count.

#include <emscripten/bind.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/api/report.hpp"
#include "wasm/bindings.hpp"

namespace param_ledger::wasm {

namespace {

/// The texts of a question that has several, each as it is: how many there are, the bytes of each, and then they themselves
/// (`packTexts` in web/core/write-input.ts, which writes numbers of 32 bits as this machine has them).
std::vector<std::string_view> texts() {
  std::string_view rest = question();
  const auto number = [&] {
    std::uint32_t out = 0;
    if (rest.size() < sizeof out) return out;
    std::memcpy(&out, rest.data(), sizeof out);
    rest.remove_prefix(sizeof out);
    return out;
  };
  std::vector<std::size_t> sizes(number());
  for (std::size_t& size : sizes) size = number();
  std::vector<std::string_view> out;
  for (const std::size_t size : sizes) {
    out.push_back(rest.substr(0, size));
    rest.remove_prefix(out.back().size());
  }
  return out;
}

/// About a configuration and what is asked of it.
template <std::string (*answer_to)(std::string_view, std::string_view)>
emscripten::val ask_of() {
  const std::vector<std::string_view> given = texts();
  return answered(given.size() == 2 ? answer_to(given[0], given[1]) : std::string());
}

emscripten::val ask_compare() { return answered(compare(texts())); }

}  // namespace

}  // namespace param_ledger::wasm

EMSCRIPTEN_BINDINGS(questions) {
  using namespace param_ledger;
  wasm::offer({{"read", &wasm::ask<read>},
               {"wants", &wasm::ask<wants>},
               {"memory", &wasm::ask_of<memory>},
               {"compare", &wasm::ask_compare},
               {"derive", &wasm::ask<derive>},
               {"check", &wasm::ask_of<check>},
               {"article", &wasm::ask<article>},
               {"search", &wasm::ask_of<search>},
               {"search_step", &wasm::ask<search_step>}});
}
