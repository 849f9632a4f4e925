#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/text.hpp"

namespace param_ledger {

/// A strict streaming JSON scanner (RFC 8259) for headers of many megabytes. Values that the caller skips are still validated. Throws
/// Error{malformed_json} with line and column, or Error{too_deep}.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {}

  /// The next non-blank character, without consuming it; 0 at the end and after `stop`.
  char peek() {
    blanks();
    return at_ < text_.size() && !stopped_ ? text_[at_] : '\0';
  }
  [[nodiscard]] std::size_t position() const { return at_; }
  /// Consumes the character and returns true if it comes next.
  bool take(char c) {
    if (peek() != c || at_ == text_.size() || stopped_) return false;
    ++at_;
    return true;
  }
  /// Consumes the character. Throws if it does not come next, unless the scan has been stopped.
  void expect(char c, Text what);
  /// Calls `member(key)` for each member of an object. The function must read the value. The key is valid until the function returns.
  template <class Member>
  void object(Text what, const Member& member) {
    expect('{', what);
    if (take('}')) return;
    std::string unescaped;
    do {
      const std::string_view key = string("a key in double quotes", unescaped);
      expect(':', "a colon after the key");
      member(key);
    } while (take(','));
    expect('}', "a comma or the end of the object");
  }
  /// Calls `item()` for each entry of a list. The function must read the entry.
  template <class Item>
  void list(Text what, const Item& item) {
    expect('[', what);
    if (take(']')) return;
    do item();
    while (take(','));
    expect(']', "a comma or the end of the list");
  }
  /// Reads a string and resolves its escapes. The result is valid until the next string is read.
  std::string_view string(Text what) { return string(what, unescaped_); }
  /// Reads an integer of at least 0. Throws Error for other numbers, and for integers that do not fit into 64 bits.
  std::uint64_t whole(Text what);
  /// Ends the scan. The rest of the text is ignored.
  void stop() { stopped_ = true; }
  /// Skips a value of any type.
  void skip(unsigned depth = 0);
  /// Throws unless only blanks follow the current position.
  void end();

  /// Throws an Error with the current position.
  [[noreturn]] void refuse(Text what) { refuse_at(at_, what); }

 private:
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) ++at_;
  }
  std::string_view string(Text what, std::string& unescaped);
  void unescape(std::string& out);
  std::uint32_t hex4();
  void number();
  void word(std::string_view word);
  [[noreturn]] void refuse_at(std::size_t place, Text what);

  std::string_view text_;
  std::size_t at_ = 0;
  bool stopped_ = false;
  std::string unescaped_;  // the text of the last string that contained escapes or non-ASCII characters
};

}  // namespace param_ledger
