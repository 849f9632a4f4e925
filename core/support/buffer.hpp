#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "core/support/count.hpp"

namespace param_ledger {

/// A buffer that joins pieces of text. The answer to a count can consist of thousands of pieces of a few bytes each. In WebAssembly every
/// append to a std::string is a function call, and these calls took half the time of a count.
class Buffer {
 public:
  /// `capacity`: the expected size in bytes.
  explicit Buffer(std::size_t capacity = 0) { room(capacity); }
  Buffer(const Buffer&) = delete;  // at_ and end_ point into text_, so the buffer cannot be copied
  Buffer& operator=(const Buffer&) = delete;

  void put(char c) {
    if (at_ == end_) room(1);
    *at_++ = c;
  }
  void put(std::string_view text) {
    if (static_cast<std::size_t>(end_ - at_) < text.size()) room(text.size());
    // Copies eight bytes at a time through a local pointer, which no byte store can alias. A memcpy of a variable number of bytes would be
    // a function call.
    constexpr std::size_t word = 8;
    char* to = at_;
    const char *from = text.data(), *const end = from + text.size();
    for (; static_cast<std::size_t>(end - from) >= word; from += word, to += word) std::memcpy(to, from, word);
    while (from != end) *to++ = *from++;
    at_ = to;
  }
  /// Appends the value in decimal digits.
  void put_digits(Count value);

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - text_.data()); }
  /// Shortens the text to its first `size` bytes.
  void cut(std::size_t size) { at_ = text_.data() + size; }
  [[nodiscard]] std::string_view view() const { return {text_.data(), size()}; }
  /// Moves the text out. The buffer must not be used afterwards.
  std::string take();

 private:
  /// Makes room for at least `more` bytes after the text.
  [[gnu::noinline]] void room(std::size_t more);

  std::string text_;  // allocated storage: its size is the buffer's capacity
  char* at_ = text_.data();
  char* end_ = at_;
};

}  // namespace param_ledger
