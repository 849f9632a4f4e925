// Registration only: bytes in, a view of the answer's bytes out. A view, because embind of Emscripten 3.1.6 looks at each
// character of a returned std::string on its own, which costs more than a whole count.

#include <emscripten/bind.h>

#include <string>

#include "core/report.hpp"

namespace {

/// The last answer; a view of it is valid until the next call.
std::string answer;

emscripten::val view(std::string text) {
  answer = std::move(text);
  return emscripten::val(emscripten::typed_memory_view(answer.size(), reinterpret_cast<const unsigned char*>(answer.data())));
}

emscripten::val count(const std::string& config) { return view(param_ledger::count(config)); }
emscripten::val totals(const std::string& config) { return view(param_ledger::totals(config)); }
emscripten::val read(const std::string& request) { return view(param_ledger::read(request)); }
emscripten::val memory(const std::string& request) { return view(param_ledger::memory(request)); }
emscripten::val compare(const std::string& request) { return view(param_ledger::compare(request)); }
emscripten::val check(const std::string& request) { return view(param_ledger::check(request)); }
emscripten::val article(const std::string& request) { return view(param_ledger::article(request)); }
emscripten::val search(const std::string& request) { return view(param_ledger::search(request)); }
emscripten::val search_step(const std::string& request) { return view(param_ledger::search_step(request)); }
emscripten::val catalog() { return view(param_ledger::catalog()); }

}  // namespace

EMSCRIPTEN_BINDINGS(param_ledger) {
  emscripten::function("count", &count);
  emscripten::function("totals", &totals);
  emscripten::function("read", &read);
  emscripten::function("memory", &memory);
  emscripten::function("compare", &compare);
  emscripten::function("check", &check);
  emscripten::function("article", &article);
  emscripten::function("search", &search);
  emscripten::function("search_step", &search_step);
  emscripten::function("catalog", &catalog);
}
