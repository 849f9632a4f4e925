#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace param_ledger {

/// The pieces in one string: shorter in code than a chain of `+`, which is instantiated for each combination.
[[gnu::noinline]] std::string concat(std::initializer_list<std::string_view> pieces);

/// The first `most` bytes, or less where that would cut a character of UTF-8 in two.
std::string_view clipped(std::string_view text, std::size_t most);

/// A name without case and separators: "GPT-NeoX" and "gpt_neox" are one.
std::string plain(std::string_view name);

/// True where one name is a typing error of the other: they differ in a letter or two at one place, and in no figure. Another
/// number or another word is another model, and a suggestion is one click from a wrong count.
bool nearly(std::string_view typed, std::string_view known);

}  // namespace param_ledger
