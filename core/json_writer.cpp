#include "core/json_writer.hpp"

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
  std::size_t plain = 0;  // begin of what needs no escape: mostly all of it
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!needs_escape(text[i])) continue;
    out.put(text.substr(plain, i - plain));
    put_escaped(out, text[i]);
    plain = i + 1;
  }
  out.put(text.substr(plain));
  out.put('"');
}

void JsonWriter::digits(Count value) {
  Buffer& out = this->value();
  out.put('"');
  out.put_digits(value);
  out.put('"');
}

}  // namespace param_ledger
