#pragma once

#include <emscripten/val.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace param_ledger::wasm {

/// What JavaScript calls by this name: about the bytes in `room`, with a view of the answer's bytes, valid until the next.
struct Question {
  const char* name;
  emscripten::val (*ask)();
};

/// One place registers and one place answers, however many questions a program has: all programs ask JavaScript for the same, so that one
/// script starts each of them.
[[gnu::noinline]] void offer(std::initializer_list<Question> questions);

/// The bytes that were put into `room`.
std::string_view question();

/// Keeps the answer and drops the question: nobody needs it twice.
[[gnu::noinline]] emscripten::val answered(std::string answer);

template <std::string (*answer_to)(std::string_view)>
emscripten::val ask() {
  return answered(answer_to(question()));
}

}  // namespace param_ledger::wasm
