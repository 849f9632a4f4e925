// Small replacements for the C library functions that nlohmann's lexer calls: it converts numbers that it has already checked, and formats
// one character for an error message. The library's versions handle every format, including 128-bit long doubles: strtod is 6.5 KB of the
// compressed program, snprintf 4 KB. The linker substitutes them (--wrap).

#include <cstddef>
#include <string_view>

#include "core/support/decimal.hpp"

// Names that the linker requires.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" {

double __wrap_strtod(const char* text, char** end) {
  const std::string_view number(text);
  *end = const_cast<char*>(text) + number.size();
  return param_ledger::decimal(number);
}

/// Formats a control character for an error message of nlohmann's that is never shown.
int __wrap_snprintf(char* out, std::size_t /*size*/, const char* /*format*/, ...) {
  *out = '\0';
  return 0;
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
