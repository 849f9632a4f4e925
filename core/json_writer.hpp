#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace param_ledger {

/// Appends JSON to a string as it is told, without building a tree first: an answer is written once and never read here,
/// and a tree costs several times the counting. Commas come by themselves; strings must be valid UTF-8.
class JsonWriter {
 public:
  void open_object() { open('{'); }
  void close_object() { close('}'); }
  void open_array() { open('['); }
  void close_array() { close(']'); }

  /// `capacity`: what the text will come to, roughly.
  explicit JsonWriter(std::size_t capacity = 0) { out_.reserve(capacity); }

  /// The key of the next value; written as it is, so it must need no escape.
  JsonWriter& key(std::string_view name) {
    separate();
    out_ += '"';
    out_ += name;
    out_ += "\":";
    separate_ = false;
    return *this;
  }

  void string(std::string_view text) {
    separate();
    out_ += '"';
    std::size_t plain = 0;  // begin of what needs no escape
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!needs_escape(text[i])) continue;
      out_.append(text, plain, i - plain);
      append_escaped(text[i]);
      plain = i + 1;
    }
    out_.append(text, plain);
    out_ += '"';
  }

  /// A value that is JSON already: a number, true, a dumped value.
  void raw(std::string_view json) {
    separate();
    out_ += json;
  }

  void member(std::string_view name, std::string_view text) { key(name).string(text); }
  void raw_member(std::string_view name, std::string_view json) { key(name).raw(json); }

  std::string take() { return std::move(out_); }

 private:
  void separate() {
    if (separate_) out_ += ',';
    separate_ = true;
  }
  void open(char bracket) {
    separate();
    out_ += bracket;
    separate_ = false;
  }
  void close(char bracket) {
    out_ += bracket;
    separate_ = true;
  }
  static bool needs_escape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }
  void append_escaped(char c) {
    static constexpr char hex[] = "0123456789abcdef";
    static constexpr std::string_view short_form = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
    if (const std::size_t i = short_form.find(c); i != std::string_view::npos) {
      out_ += '\\';
      out_ += letters[i];
    } else {
      out_ += "\\u00";
      out_ += hex[static_cast<unsigned char>(c) >> 4U];
      out_ += hex[static_cast<unsigned char>(c) & 15U];
    }
  }

  std::string out_;
  bool separate_ = false;
};

}  // namespace param_ledger
