#include "core/support/text.hpp"

#include <string>
#include <type_traits>

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("pieces make one string", "[text]") {
  CHECK(concat({"a", "", "bc"}) == "abc");
  CHECK(concat({}).empty());
}

TEST_CASE("a text is another to its last character", "[text]") {
  constexpr std::string_view other("llama\0", 6);
  CHECK(Text("llama") == other.substr(0, 5));
  CHECK_FALSE(Text("llama") == other.substr(0, 4));
  CHECK_FALSE(Text("llam") == other.substr(0, 5));
  CHECK_FALSE(Text("llama") == other);
  CHECK(Text() == std::string_view());
  CHECK_FALSE(Text("l") == std::string_view());
}

TEST_CASE("no character is cut in two", "[text]") {
  CHECK(clipped("abc", 5) == "abc");
  CHECK(clipped("abc", 2) == "ab");
  CHECK(clipped("a\xc3\xa9z", 2) == "a");
  CHECK(clipped("\xf0\x9f\xa6\x99", 3).empty());
}

TEST_CASE("case and separators make no other name", "[text]") {
  CHECK(folded("GPT-NeoX 2.5") == "gptneox25");
  for (const auto& [a, b] : {std::pair{"GPT-NeoX 2.5", "gpt_neox25"}, {"", "_."}, {"a_", "A"}, {"ab", "_a-b"}}) CHECK(same_folded(a, b));
  for (const auto& [a, b] : {std::pair{"a", "b"}, {"a", "ab"}, {"a_b", "a_"}, {"", "a"}}) CHECK_FALSE(same_folded(a, b));
}

TEST_CASE("a typing error is a letter or two at one place, and no figure", "[text]") {
  for (const auto& [typed, known] : {std::pair{"lama", "llama"},
                                     {"hiden_size", "hidden_size"},
                                     {"hidden_szie", "hidden_size"},
                                     {"QWEN3-MOE", "qwen3_moe"},
                                     {"num_atention_heads", "num_attention_heads"}}) {
    CAPTURE(typed);
    CHECK(nearly(typed, known));
  }
  for (const auto& [typed, known] : {std::pair{"bark", "bart"},
                                     {"phi4", "phi3"},
                                     {"gemma7", "gemma2"},
                                     {"opt", "mpt"},
                                     {"falcon_mamba", "falcon"},
                                     {"bert", "phi3"},
                                     {"", "llama"}}) {
    CAPTURE(typed);
    CHECK_FALSE(nearly(typed, known));
  }
}

TEST_CASE("what is kept is a literal: a string that ends before it does not compile", "[text]") {
  static_assert(std::is_convertible_v<const char*, Literal> && std::is_convertible_v<Text, Literal>);
  static_assert(!std::is_convertible_v<std::string, Literal> && !std::is_constructible_v<Literal, std::string>);
  constexpr Literal name = "hidden_size";
  CHECK(name == "hidden_size");
}

}  // namespace param_ledger::test
