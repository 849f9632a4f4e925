// The full program for hosts without JavaScript. It exports functions that exchange bytes, and imports nothing.
//
// room(size)         returns the address at which the host writes the next question's bytes
// ask_totals(), …    returns the address of the answer, which is valid until the next ask_…(): JSON, or empty if a text is missing
// answer_size()      returns the size of the answer in bytes
//
// web/docs/api.md lists the questions. A question that consists of several texts is encoded as described in wasm/texts.hpp. The host must
// call `_initialize` first.

#include <emscripten/emscripten.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/report.hpp"
#include "wasm/texts.hpp"

namespace param_ledger::wasm {

namespace {

std::unique_ptr<char[]> asked;
std::size_t asked_size = 0;
std::string last;

std::string_view question() { return {asked.get(), asked_size}; }

const char* answered(std::string answer) {
  last = std::move(answer);
  asked.reset();
  asked_size = 0;
  return last.data();
}

template <std::string (*answer_to)(std::string_view)>
const char* ask() {
  return answered(answer_to(question()));
}

template <std::string (*answer_to)(std::string_view, std::string_view)>
const char* ask_of() {
  const std::vector<std::string_view> given = texts(question());
  return answered(given.size() == 2 ? answer_to(given[0], given[1]) : std::string());
}

SearchSession& session() {
  static SearchSession one;
  return one;
}

std::string begin_search(std::string_view config_text, std::string_view request) { return session().begin(config_text, request); }
std::string step_search(std::string_view request) { return session().step(request); }

}  // namespace

}  // namespace param_ledger::wasm

using namespace param_ledger;

// The C++ library, the allocator and hosts require these names.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" {
// Without these definitions, the module would import both functions from its host.
void emscripten_notify_memory_growth(std::size_t /*index*/) {}
void __wasi_proc_exit(std::uint32_t /*code*/) { __builtin_trap(); }

EMSCRIPTEN_KEEPALIVE char* room(std::size_t size) {
  wasm::asked.reset();  // freed first, so that the buffers of two questions never exist at once
  wasm::asked.reset(new char[size]);
  wasm::asked_size = size;
  return wasm::asked.get();
}
EMSCRIPTEN_KEEPALIVE std::size_t answer_size() { return wasm::last.size(); }

EMSCRIPTEN_KEEPALIVE const char* ask_catalog() { return wasm::answered(catalog()); }
EMSCRIPTEN_KEEPALIVE const char* ask_count() { return wasm::ask<count>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_totals() { return wasm::ask<totals>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_derive() { return wasm::ask<derive>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_counterfactuals() { return wasm::ask<counterfactuals>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_article() { return wasm::ask<article>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_read() { return wasm::ask<read>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_wants() { return wasm::ask<wants>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_compare() { return wasm::answered(compare(wasm::texts(wasm::question()))); }
EMSCRIPTEN_KEEPALIVE const char* ask_memory() { return wasm::ask_of<memory>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_operations() { return wasm::ask_of<operations>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_devices() { return wasm::ask_of<devices>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_check() { return wasm::ask_of<check>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_lesson() { return wasm::ask_of<lesson>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_search() { return wasm::ask_of<wasm::begin_search>(); }
EMSCRIPTEN_KEEPALIVE const char* ask_search_step() { return wasm::ask<wasm::step_search>(); }
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
