// What nlohmann's lexer takes of the C library, in the form in which it asks for it: numbers that it has checked already, and one
// character for an error message. The library's own know every form of numbers, long doubles of 128 bits among them, and are a
// sixteenth of the program. The linker puts these in their place (--wrap).

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <string_view>

#include "core/decimal.hpp"

// Names that the linker gives.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" {

double __wrap_strtod(const char* text, char** end) {
  const std::string_view number(text);
  *end = const_cast<char*>(text) + number.size();
  return param_ledger::decimal(number);
}

unsigned long long __wrap_strtoull(const char* text, char** end, int /*base*/) {
  unsigned long long out = 0;
  for (; *text != '\0'; ++text)
    if (__builtin_mul_overflow(out, 10ULL, &out) || __builtin_add_overflow(out, static_cast<unsigned long long>(*text - '0'), &out))
      errno = ERANGE;
  *end = const_cast<char*>(text);
  return out;
}

/// Of a negative number.
long long __wrap_strtoll(const char* text, char** end, int /*base*/) {
  long long out = 0;
  for (++text; *text != '\0'; ++text)
    if (__builtin_mul_overflow(out, 10LL, &out) || __builtin_sub_overflow(out, static_cast<long long>(*text - '0'), &out)) errno = ERANGE;
  *end = const_cast<char*>(text);
  return out;
}

/// "<U+001F>": a control character in a string.
int __wrap_snprintf(char* out, std::size_t /*size*/, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const unsigned code = va_arg(arguments, unsigned);
  va_end(arguments);
  constexpr std::string_view figures = "0123456789ABCDEF";
  for (const char c : {'<', 'U', '+', '0', '0', figures[code / 16 % 16], figures[code % 16], '>', '\0'}) *out++ = c;
  return 8;
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
