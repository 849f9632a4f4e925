#pragma once

#include <emscripten/val.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace param_ledger::wasm {

/// A function that JavaScript calls by this name. It reads the question in `room` and returns a view of the answer's bytes, valid until the
/// next answer.
struct Question {
  const char* name;
  emscripten::val (*ask)();
};

/// Registers questions in one place, so that all programs need the same imports from JavaScript and one script can start each of them.
[[gnu::noinline]] void offer(std::initializer_list<Question> questions);

/// The bytes that were written to `room`.
std::string_view question();

/// Keeps the answer and frees the question.
[[gnu::noinline]] emscripten::val answered(std::string answer);

template <std::string (*answer_to)(std::string_view)>
emscripten::val ask() {
  return answered(answer_to(question()));
}

}  // namespace param_ledger::wasm
