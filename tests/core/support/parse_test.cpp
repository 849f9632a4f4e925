#include "core/support/parse.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("lines are visited in order until the visitor stops", "[text]") {
  std::vector<std::string> lines;
  each_line("a\n\nb", [&](std::string_view line, std::uint64_t number) {
    lines.push_back(std::to_string(number) + std::string(line));
    return true;
  });
  CHECK(lines == std::vector<std::string>{"1a", "2", "3b"});
  lines.clear();
  each_line("a\nb\nc", [&](std::string_view line, std::uint64_t) {
    lines.emplace_back(line);
    return line != "b";
  });
  CHECK(lines == std::vector<std::string>{"a", "b"});
}

TEST_CASE("an integer is parsed at the start of a text, up to its type's maximum", "[text]") {
  std::string_view text = "42.weight";
  CHECK(parse_integer<std::uint64_t>(text) == 42U);
  CHECK(text == ".weight");
  CHECK_FALSE(parse_integer<std::uint64_t>(text));
  CHECK(text == ".weight");
  const auto value = [](auto zero, std::string_view digits) { return parse_integer<decltype(zero)>(digits); };
  CHECK(value(std::uint8_t{}, "255") == std::uint8_t{255});
  CHECK_FALSE(value(std::uint8_t{}, "256"));
  CHECK(value(int{}, "2147483647") == 2147483647);
  CHECK_FALSE(value(int{}, "2147483648"));
  CHECK(value(std::uint64_t{}, "18446744073709551615") == 18446744073709551615U);
  CHECK_FALSE(value(std::uint64_t{}, "18446744073709551616"));
  CHECK_FALSE(value(std::uint64_t{}, "99999999999999999999999"));
  CHECK(value(std::uint64_t{}, "00000000000000000000000000000007") == 7U);
  CHECK(value(Count{}, "340282366920938463463374607431768211455") == ~Count{0});
  CHECK_FALSE(value(Count{}, "340282366920938463463374607431768211456"));
  std::string_view too_large = "300 layers";
  CHECK_FALSE(parse_integer<std::uint8_t>(too_large));
  CHECK(too_large == "300 layers");
  for (const char* other : {"", "-1", "+1", " 1", "x"}) CHECK_FALSE(value(std::uint64_t{}, other));
}

TEST_CASE("a whole number is digits only, and not too many", "[text]") {
  CHECK(integer_written("0") == 0U);
  CHECK(integer_written("007") == 7U);
  CHECK(integer_written("999999999999999999") == 999'999'999'999'999'999U);
  for (const char* other : {"", "1000000000000000000", "-1", "+1", "1.0", " 1", "1e3", "0x1", "1,000"}) CHECK_FALSE(integer_written(other));
  CHECK(whole_number("(100,480)") == Count{100'480});
  CHECK(whole_number("1_000") == Count{1000});
  for (const char* other : {",1", "1,", "1,_0", "1,,0", "-1", ""}) CHECK_FALSE(whole_number(other));
  CHECK(three_figures("1,234", 2));
  CHECK(three_figures("123.4", 0));
  for (const char* other : {"1,2345", "1,23", "1,23x", "1,"}) CHECK_FALSE(three_figures(other, 2));
}

TEST_CASE("a word must match as a whole", "[text]") {
  CHECK(is_one_of("b", {"a", "b"}));
  CHECK(is_one_of("", {""}));
  CHECK_FALSE(is_one_of("b", {"a", "bc", ""}));
  CHECK_FALSE(is_one_of("b", {}));
}

}  // namespace param_ledger::test
