// JavaScript writes a question's bytes into the buffer that `room` returns, and receives the answer as a view of bytes. Neither is passed
// as a std::string, because embind in Emscripten 3.1.6 copies strings one character at a time, which takes longer than counting a model.

#include "wasm/bindings.hpp"

#include <emscripten/bind.h>

#include <memory>
#include <utility>

namespace param_ledger::wasm {

namespace {

/// The current question and the last answer. A call may make the memory grow, which invalidates all earlier views.
std::unique_ptr<unsigned char[]> asked;
std::size_t asked_size = 0;
std::string last;

[[gnu::noinline]] emscripten::val view(std::size_t size, const unsigned char* bytes) {
  return emscripten::val(emscripten::typed_memory_view(size, bytes));
}

/// Allocates the buffer for the next question and returns a view of it, for JavaScript to fill.
emscripten::val room(std::size_t size) {
  asked.reset();  // freed first, so that the buffers of two questions never exist at once
  asked.reset(new unsigned char[size]);
  asked_size = size;
  return view(size, asked.get());
}

}  // namespace

void offer(std::initializer_list<Question> questions) {
  for (const Question& question : questions) emscripten::function(question.name, question.ask);
}

std::string_view question() { return {reinterpret_cast<const char*>(asked.get()), asked_size}; }

emscripten::val answered(std::string answer) {
  last = std::move(answer);
  asked.reset();
  asked_size = 0;
  return view(last.size(), reinterpret_cast<const unsigned char*>(last.data()));
}

}  // namespace param_ledger::wasm

EMSCRIPTEN_BINDINGS(room) { emscripten::function("room", &param_ledger::wasm::room); }
