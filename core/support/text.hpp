#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/support/characters.hpp"

namespace param_ledger {

/// Text that ends in a NUL, as literals do: names of fields, modules and tensors. One pointer, which WebAssembly passes in a
/// register where it writes a std::string_view to memory for each call: a sixth of the download.
class Text {
 public:
  constexpr Text() = default;
  constexpr Text(const char* text) : text_(text) {}
  /// For the time of a call.
  Text(const std::string& text) : text_(text.c_str()) {}
  constexpr operator std::string_view() const { return c_str(); }
  [[nodiscard]] constexpr bool empty() const { return text_ == nullptr || *text_ == '\0'; }
  [[nodiscard]] constexpr const char* c_str() const { return text_ != nullptr ? text_ : ""; }
  /// What is meant where nothing was said; "" says something. Structures name their usual names so rather than store each of
  /// them in each family: zeros are one instruction.
  [[nodiscard]] constexpr Text value_or(Text usual) const { return text_ != nullptr ? *this : usual; }

  /// As far as they are one, without the length of the first: a model type is looked for among hundreds.
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

/// Text that outlives whoever keeps it: a string literal, or what a constexpr table holds. A string is refused.
class Literal : public Text {
 public:
  constexpr Literal(const char* text) : Text(text) {}
  constexpr Literal(Text text) : Text(text) {}
  Literal(const std::string& text) = delete;
};

/// The pieces in one string: shorter in code than a chain of `+`, which is instantiated for each combination.
[[gnu::noinline]] std::string concat(std::initializer_list<std::string_view> pieces);

/// Below, at or above 0 as `a` comes before, is or comes after `b` in the order in which keys are looked up: shorter ones first,
/// which decides most comparisons at once.
constexpr int compare_keys(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

/// True where a part stands anywhere in a text.
constexpr bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The first `most` bytes, or less where that would cut a character of UTF-8 in two.
std::string_view clipped(std::string_view text, std::size_t most);

/// A name without case and separators: "GPT-NeoX" and "gpt_neox" are one.
std::string folded(std::string_view name);
/// True where two names are one when they are folded.
bool same_folded(std::string_view a, std::string_view b);

/// True where one name is a typing error of the other: they differ in a letter or two at one place, and in no figure. Another
/// number or another word is another model, and a suggestion is one click from a wrong count.
bool nearly(std::string_view typed, std::string_view known);

}  // namespace param_ledger
