#include "core/json/json_writer.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

bool needs_escape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

void put_escaped(Buffer& out, char c) {
  static constexpr char hex[] = "0123456789abcdef";
  static constexpr std::string_view short_form = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
  out.put('\\');
  if (const std::size_t i = short_form.find(c); i != std::string_view::npos) {
    out.put(letters[i]);
  } else {
    out.put("u00");
    out.put(hex[static_cast<unsigned char>(c) >> 4U]);
    out.put(hex[static_cast<unsigned char>(c) & 15U]);
  }
}

}  // namespace

void put_json_string(Buffer& out, std::string_view text) {
  out.put('"');
  for (;;) {
    const auto plain = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), needs_escape) - text.begin());
    out.put(text.substr(0, plain));
    if (plain == text.size()) break;
    put_escaped(out, text[plain]);
    text.remove_prefix(plain + 1);
  }
  out.put('"');
}

void put_integer(Buffer& out, Count value) {
  // JavaScript represents all integers exactly only up to this value.
  constexpr Count largest_exact_double = Count{1} << 53U;
  if (value > largest_exact_double) out.put('"');
  out.put_digits(value);
  if (value > largest_exact_double) out.put('"');
}

std::string integer_text(Count value) {
  Buffer out;
  put_integer(out, value);
  return out.take();
}

void JsonWriter::digits(Count value) {
  Buffer& out = this->value();
  out.put('"');
  out.put_digits(value);
  out.put('"');
}

}  // namespace param_ledger
