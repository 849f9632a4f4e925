#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "core/support/count.hpp"

namespace param_ledger {

/// Text that grows as it is written. An answer is some thousands of pieces of a few bytes each: std::string, whose every append
/// is a call in WebAssembly, took half of the time of a count.
class Buffer {
 public:
  /// `capacity`: what the text will come to, roughly.
  explicit Buffer(std::size_t capacity = 0) { room(capacity); }
  Buffer(const Buffer&) = delete;  // pointers lead into it
  Buffer& operator=(const Buffer&) = delete;

  void put(char c) {
    if (at_ == end_) room(1);
    *at_++ = c;
  }
  void put(std::string_view text) {
    if (static_cast<std::size_t>(end_ - at_) < text.size()) room(text.size());
    // Eight bytes at a time, by a pointer of its own, which no byte could overwrite. One memcpy of a few bytes would be a call out of
    // WebAssembly.
    constexpr std::size_t word = 8;
    char* to = at_;
    const char *from = text.data(), *const end = from + text.size();
    for (; static_cast<std::size_t>(end - from) >= word; from += word, to += word) std::memcpy(to, from, word);
    while (from != end) *to++ = *from++;
    at_ = to;
  }
  /// Decimal digits.
  void put_digits(Count value);

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - text_.data()); }
  /// Takes back what was written beyond that size.
  void cut(std::size_t size) { at_ = text_.data() + size; }
  [[nodiscard]] std::string_view view() const { return {text_.data(), size()}; }
  /// The text, once.
  std::string take();

 private:
  /// Makes room for so many bytes more.
  [[gnu::noinline]] void room(std::size_t more);

  std::string text_;  // as large as there is room
  char* at_ = text_.data();
  char* end_ = at_;
};

}  // namespace param_ledger
