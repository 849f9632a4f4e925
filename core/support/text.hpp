#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/support/characters.hpp"

namespace param_ledger {

/// A NUL-terminated string, such as a literal; mostly a name of a field, module or tensor. It is a single pointer, which WebAssembly passes
/// directly, whereas a std::string_view is passed through memory at each call. That makes the download a sixth smaller.
class Text {
 public:
  constexpr Text() = default;
  constexpr Text(const char* text) : text_(text) {}
  /// Use this constructor only to pass arguments: the Text is valid only as long as the string.
  Text(const std::string& text) : text_(text.c_str()) {}
  constexpr operator std::string_view() const { return c_str(); }
  [[nodiscard]] constexpr bool empty() const { return text_ == nullptr || *text_ == '\0'; }
  [[nodiscard]] constexpr const char* c_str() const { return text_ != nullptr ? text_ : ""; }
  /// The text, or `usual` if it is null. An empty text is not null. Structs that families often fill, such as Attention, leave most names
  /// null, and readers use this function: filling in default names would need code in every family.
  [[nodiscard]] constexpr Text value_or(Text usual) const { return text_ != nullptr ? *this : usual; }

  /// Compares without computing the length of `a` first, because one model type is compared with hundreds of names.
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

/// Text that must have static storage, such as a string literal or an entry of a constexpr table. The compiler rejects a std::string, but
/// not a Text made from one.
class Literal : public Text {
 public:
  constexpr Literal(const char* text) : Text(text) {}
  constexpr Literal(Text text) : Text(text) {}
  Literal(const std::string& text) = delete;
};

/// Joins the pieces. Compiles to less code than a chain of `+`, which is instantiated for each combination of types.
[[gnu::noinline]] std::string concat(std::initializer_list<std::string_view> pieces);

/// Compares two keys: negative if `a` sorts before `b`, 0 if they are equal, positive otherwise. Shorter keys sort first, so that most
/// comparisons only need the lengths.
constexpr int compare_keys(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

/// Whether `text` contains `part`.
constexpr bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The first `most` bytes of the text, or fewer if that would split a UTF-8 character.
std::string_view clipped(std::string_view text, std::size_t most);

/// The name in lower case and without separators: "gptneox" for both "GPT-NeoX" and "gpt_neox".
std::string folded(std::string_view name);
/// Whether `folded` gives the same result for both names.
bool same_folded(std::string_view a, std::string_view b);

/// Whether one name is likely a misspelling of the other: they differ in a letter or two at one place and in no digit, or only in case and
/// separators. The test is strict, because a user can accept a suggestion with one click and would then get a wrong count.
bool nearly(std::string_view typed, std::string_view known);

}  // namespace param_ledger
