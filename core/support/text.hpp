#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/support/characters.hpp"

namespace param_ledger {

/// A NUL-terminated string, such as a literal: names of fields, modules and tensors. One pointer, which WebAssembly passes in a register,
/// while a std::string_view goes through memory at each call. That saves a sixth of the download.
class Text {
 public:
  constexpr Text() = default;
  constexpr Text(const char* text) : text_(text) {}
  /// Valid during the call only.
  Text(const std::string& text) : text_(text.c_str()) {}
  constexpr operator std::string_view() const { return c_str(); }
  [[nodiscard]] constexpr bool empty() const { return text_ == nullptr || *text_ == '\0'; }
  [[nodiscard]] constexpr const char* c_str() const { return text_ != nullptr ? text_ : ""; }
  /// The text, or `usual` if it is null; "" is not null. Structures give their default names this way because storing them in each family
  /// would need code, while zeros are a single instruction.
  [[nodiscard]] constexpr Text value_or(Text usual) const { return text_ != nullptr ? *this : usual; }

  /// Compares without computing the length of `a` first: a model type is looked up among hundreds.
  friend constexpr bool operator==(Text a, std::string_view b) {
    const char* x = a.c_str();
    for (const char c : b)
      if (c == '\0' || *x++ != c) return false;
    return *x == '\0';
  }
  friend constexpr bool operator==(Text a, Text b) {
    const char *x = a.c_str(), *y = b.c_str();
    while (*x != '\0' && *x == *y) ++x, ++y;
    return *x == *y;
  }
  friend constexpr bool operator==(Text a, const char* b) { return std::string_view(a) == b; }

 private:
  const char* text_ = nullptr;
};

/// Text with static storage: a string literal or an entry of a constexpr table. A std::string is rejected.
class Literal : public Text {
 public:
  constexpr Literal(const char* text) : Text(text) {}
  constexpr Literal(Text text) : Text(text) {}
  Literal(const std::string& text) = delete;
};

/// Joins the pieces. Smaller code than a chain of `+`, which is instantiated for each combination of types.
[[gnu::noinline]] std::string concat(std::initializer_list<std::string_view> pieces);

/// Below, at or above 0 as `a` orders before, equal to or after `b`. Shorter keys come first, which decides most comparisons at once.
constexpr int compare_keys(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

/// Whether `text` contains `part`.
constexpr bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The first `most` bytes, or fewer if that would split a UTF-8 character.
std::string_view clipped(std::string_view text, std::size_t most);

/// The name without case and separators: "GPT-NeoX" and "gpt_neox" fold to the same.
std::string folded(std::string_view name);
/// Whether two names fold to the same.
bool same_folded(std::string_view a, std::string_view b);

/// Whether one name is likely a misspelling of the other: they differ in a letter or two at one place, and in no digit. Stricter than usual
/// because a suggestion is one click from a wrong count.
bool nearly(std::string_view typed, std::string_view known);

}  // namespace param_ledger
