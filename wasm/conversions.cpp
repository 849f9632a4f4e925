// What nlohmann's lexer takes of the C library, in the form in which it asks for it: a number that it has checked already, and one
// character for an error message. The library's own know every form of numbers, long doubles of 128 bits among them: strtod is 6.5 KB of
// the compressed program, snprintf 4. The linker puts these in their place (--wrap).

#include <cstddef>
#include <string_view>

#include "core/support/decimal.hpp"

// Names that the linker gives.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" {

double __wrap_strtod(const char* text, char** end) {
  const std::string_view number(text);
  *end = const_cast<char*>(text) + number.size();
  return param_ledger::decimal(number);
}

/// Of a control character for a sentence of nlohmann's that nobody reads.
int __wrap_snprintf(char* out, std::size_t /*size*/, const char* /*format*/, ...) {
  *out = '\0';
  return 0;
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
