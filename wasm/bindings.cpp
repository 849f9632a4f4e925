// Registration only: the question's bytes are written into `room`, the answer is a view of its bytes. Neither is a std::string to embind:
// that of Emscripten 3.1.6 looks at each character on its own, which costs more than a whole count.

#include <emscripten/bind.h>

#include <memory>
#include <string>

#include "core/report.hpp"

namespace {

/// The question, and the last answer; a view of one is valid until the next of it.
std::unique_ptr<unsigned char[]> question;
std::size_t question_size = 0;
std::string answer;

emscripten::val view(std::size_t size, const unsigned char* bytes) { return emscripten::val(emscripten::typed_memory_view(size, bytes)); }

/// Where so many bytes of the next question are to be put.
emscripten::val room(std::size_t size) {
  question.reset();  // before the next is there: either may be a twelfth of all memory
  question.reset(new unsigned char[size]);
  question_size = size;
  return view(size, question.get());
}

/// What that comes to. The question is dropped: nobody needs it twice.
template <std::string (*answer_to)(std::string_view)>
emscripten::val ask() {
  answer = answer_to({reinterpret_cast<const char*>(question.get()), question_size});
  question.reset();
  question_size = 0;
  return view(answer.size(), reinterpret_cast<const unsigned char*>(answer.data()));
}

emscripten::val catalog() {
  answer = param_ledger::catalog();
  return view(answer.size(), reinterpret_cast<const unsigned char*>(answer.data()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(param_ledger) {
  emscripten::function("room", &room);
  emscripten::function("count", &ask<param_ledger::count>);
  emscripten::function("totals", &ask<param_ledger::totals>);
  emscripten::function("read", &ask<param_ledger::read>);
  emscripten::function("memory", &ask<param_ledger::memory>);
  emscripten::function("compare", &ask<param_ledger::compare>);
  emscripten::function("check", &ask<param_ledger::check>);
  emscripten::function("article", &ask<param_ledger::article>);
  emscripten::function("search", &ask<param_ledger::search>);
  emscripten::function("search_step", &ask<param_ledger::search_step>);
  emscripten::function("catalog", &catalog);
}
