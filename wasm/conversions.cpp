// Small replacements for two C library functions that nlohmann's JSON lexer calls. The lexer only converts numbers that it has already
// validated, and formats a single character for an error message. The library's versions handle every format, including 128-bit long
// doubles: strtod takes 6.5 KB of the compressed program, and snprintf 4 KB. The linker substitutes these functions (--wrap).

#include <cstddef>
#include <string_view>

#include "core/support/decimal.hpp"

// The linker's --wrap option requires these names.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" {

double __wrap_strtod(const char* text, char** end) {
  const std::string_view number(text);
  *end = const_cast<char*>(text) + number.size();
  return param_ledger::decimal(number);
}

/// nlohmann formats control characters for an error message that is never shown, so an empty string is enough.
int __wrap_snprintf(char* out, std::size_t /*size*/, const char* /*format*/, ...) {
  *out = '\0';
  return 0;
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
