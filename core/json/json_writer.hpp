#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/support/buffer.hpp"

namespace param_ledger {

/// Appends the text in quotes, escaped as needed; it must be valid UTF-8.
void put_json_string(Buffer& out, std::string_view text);

/// Appends an integer: as a number up to 2^53, because JavaScript's numbers represent every integer up to there, otherwise as a string of
/// digits.
void put_integer(Buffer& out, Count value);
std::string integer_text(Count value);

/// A streaming JSON writer. Building a tree of values first would take several times as long as counting. Commas are added automatically;
/// strings must be valid UTF-8.
class JsonWriter {
 public:
  explicit JsonWriter(std::size_t capacity = 0) : out_(capacity) {}

  void open_object() { open('{'); }
  void close_object() { close('}'); }
  void open_array() { open('['); }
  void close_array() { close(']'); }

  /// Writes the key of the next value, without escaping it.
  JsonWriter& key(std::string_view name) {
    plain(name);
    out_.put(':');
    separate_ = false;
    return *this;
  }

  /// Writes a key that may need escaping.
  JsonWriter& text_key(std::string_view name) {
    string(name);
    out_.put(':');
    separate_ = false;
    return *this;
  }

  void string(std::string_view text) {
    separate();
    put_json_string(out_, text);
  }
  /// Writes a string that needs no escaping.
  void plain(std::string_view text) {
    separate();
    out_.put('"');
    out_.put(text);
    out_.put('"');
  }

  /// Writes a count as a string of digits.
  void digits(Count value);

  /// Appends text that is already JSON.
  void raw(std::string_view json) { value().put(json); }
  /// The buffer to write the next value to, after a comma if one is needed.
  Buffer& value() {
    separate();
    return out_;
  }

  void member(std::string_view name, std::string_view text) { key(name).string(text); }
  void plain_member(std::string_view name, std::string_view text) { key(name).plain(text); }
  void raw_member(std::string_view name, std::string_view json) { key(name).raw(json); }
  void digits_member(std::string_view name, Count value) { key(name).digits(value); }

  /// Ends a top-level value; another may follow on the next line. No value contains a line break.
  void end_line() {
    out_.put('\n');
    separate_ = false;
  }

  std::string take() { return out_.take(); }

 private:
  void separate() {
    if (separate_) out_.put(',');
    separate_ = true;
  }
  void open(char bracket) {
    separate();
    out_.put(bracket);
    separate_ = false;
  }
  void close(char bracket) {
    out_.put(bracket);
    separate_ = true;
  }

  Buffer out_;
  bool separate_ = false;
};

}  // namespace param_ledger
