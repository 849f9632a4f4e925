#pragma once

#include <emscripten/val.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace param_ledger::wasm {

/// A function of the program that JavaScript calls by its name. It reads the question, if there is one, from the buffer that `room`
/// allocated and returns a view of the answer's bytes, which is valid until the next call into the program.
struct Question {
  const char* name;
  emscripten::val (*ask)();
};

/// Registers questions with embind in one place, so that all programs import the same functions from JavaScript and one script can load any
/// of them.
[[gnu::noinline]] void offer(std::initializer_list<Question> questions);

/// The bytes that JavaScript wrote into the buffer from `room`.
std::string_view question();

/// Stores the answer, frees the question and returns a view of the answer.
[[gnu::noinline]] emscripten::val answered(std::string answer);

template <std::string (*answer_to)(std::string_view)>
emscripten::val ask() {
  return answered(answer_to(question()));
}

}  // namespace param_ledger::wasm
