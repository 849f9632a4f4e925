#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/text.hpp"

namespace param_ledger {

/// Reads JSON from front to back without a tree, strictly as RFC 8259 has it: for headers of 74 MB. What is not read as something in
/// particular is skipped, and checked all the same. Everything throws Error{malformed_json} with line and column for what is not JSON.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {}

  /// The next character that is no blank, unread; 0 at the end.
  char peek() {
    blanks();
    return at_ < text_.size() && !stopped_ ? text_[at_] : '\0';
  }
  [[nodiscard]] std::size_t position() const { return at_; }
  /// Takes that character where it comes next.
  bool take(char c) {
    if (peek() != c || at_ == text_.size() || stopped_) return false;
    ++at_;
    return true;
  }
  /// Throws unless that character comes next.
  void expect(char c, Text what);
  /// Calls `member(key)` for each member of an object, which must read its value. The key is valid until it returns.
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
  /// Calls `item()` for each entry of a list, which must read it.
  template <class Item>
  void list(Text what, const Item& item) {
    expect('[', what);
    if (take(']')) return;
    do item();
    while (take(','));
    expect(']', "a comma or the end of the list");
  }
  /// A string, without escapes: valid until the next one is read.
  std::string_view string(Text what) { return string(what, unescaped_); }
  /// An integer of at least 0; throws Error{out_of_range} beyond 64 bits or where it is another number.
  std::uint64_t whole(Text what);
  /// Ends the reading: what follows counts as the end of everything that is open.
  void stop() { stopped_ = true; }
  /// Passes over any value.
  void skip(unsigned depth = 0);
  /// Throws unless nothing but blanks follows.
  void end();

  /// Throws the Error for the place where it is.
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
  std::string unescaped_;  // the last string that had escapes
};

}  // namespace param_ledger
