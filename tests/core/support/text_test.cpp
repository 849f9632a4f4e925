#include "core/support/text.hpp"

#include <string>
#include <type_traits>

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("pieces are joined to one string", "[text]") {
  CHECK(concat({"a", "", "bc"}) == "abc");
  CHECK(concat({}).empty());
}

TEST_CASE("texts are compared to the last character", "[text]") {
  constexpr std::string_view other("llama\0", 6);
  CHECK(Text("llama") == other.substr(0, 5));
  CHECK_FALSE(Text("llama") == other.substr(0, 4));
  CHECK_FALSE(Text("llam") == other.substr(0, 5));
  CHECK_FALSE(Text("llama") == other);
  CHECK(Text() == std::string_view());
  CHECK_FALSE(Text("l") == std::string_view());
}

TEST_CASE("clipping does not split a character", "[text]") {
  CHECK(clipped("abc", 5) == "abc");
  CHECK(clipped("abc", 2) == "ab");
  CHECK(clipped("a\xc3\xa9z", 2) == "a");
  CHECK(clipped("\xf0\x9f\xa6\x99", 3).empty());
}

TEST_CASE("case and separators do not distinguish names", "[text]") {
  CHECK(folded("GPT-NeoX 2.5") == "gptneox25");
  for (const auto& [a, b] : {std::pair{"GPT-NeoX 2.5", "gpt_neox25"}, {"", "_."}, {"a_", "A"}, {"ab", "_a-b"}}) CHECK(same_folded(a, b));
  for (const auto& [a, b] : {std::pair{"a", "b"}, {"a", "ab"}, {"a_b", "a_"}, {"", "a"}}) CHECK_FALSE(same_folded(a, b));
}

TEST_CASE("a typo is one or two letters at one place, and no digit", "[text]") {
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

TEST_CASE("only literals can be kept: a temporary string does not compile", "[text]") {
  static_assert(std::is_convertible_v<const char*, Literal> && std::is_convertible_v<Text, Literal>);
  static_assert(!std::is_convertible_v<std::string, Literal> && !std::is_constructible_v<Literal, std::string>);
  constexpr Literal name = "hidden_size";
  CHECK(name == "hidden_size");
}

}  // namespace param_ledger::test
