#include "core/support/decimal.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "tests/support/catch.hpp"

namespace param_ledger::test {

TEST_CASE("a decimal is the nearest double", "[decimal]") {
  for (const char* text : {"0",
                           "0.0",
                           "-0",
                           "1",
                           "4.0",
                           "-2.5",
                           "0.1",
                           "2.6666666666666665",
                           "1.3333333333333333",
                           "1e3",
                           "1E+3",
                           "25e-1",
                           "9007199254740993",
                           "9007199254740993.0",
                           "9007199254740992.5",
                           "0.30000000000000004",
                           "1e19",
                           "1e-19",
                           "9999999999999999999",
                           "1.7976931348623157e1",
                           "123456789.123456789e-5",
                           "18446744073709551615"}) {
    CAPTURE(text);
    CHECK(std::bit_cast<std::uint64_t>(decimal(text)) == std::bit_cast<std::uint64_t>(std::strtod(text, nullptr)));
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = std::to_string(random() >> (random() % 64));
    text.resize(std::min<std::size_t>(text.size(), 19));
    if (const std::size_t point = random() % (text.size() + 1); point > 0 && point < text.size()) text.insert(point, ".");
    if (random() % 2 == 0) text += "e-" + std::to_string(random() % 2);
    CAPTURE(text);
    REQUIRE(decimal(text) == std::strtod(text.c_str(), nullptr));
  }
}

TEST_CASE("outside of the exact range a decimal is the nearest double or a neighbour", "[decimal]") {
  for (const char* text : {"1e300", "1.5e-300", "123456789012345678901234567890", "0.00000000000000000000000012345", "1e20", "3e-25",
                           "1.7976931348623157e308", "1.7976931348623158e308", "179769313486231.57e294", "3.4028234663852886e38"}) {
    CAPTURE(text);
    const double wanted = std::strtod(text, nullptr);
    CHECK(decimal(text) >= std::nextafter(wanted, 0));
    CHECK(decimal(text) <= std::nextafter(wanted, HUGE_VAL));
    CHECK(std::isfinite(decimal(text)));
  }
  CHECK(std::isinf(decimal("1.7976931348623159e308")));
  CHECK(std::isinf(decimal("1e309")));
  CHECK(std::isinf(decimal("1e99999999999999999999")));
  CHECK(decimal("1e-99999999999999999999") == 0);
  CHECK(decimal("0e99999999999999999999") == 0);
}

TEST_CASE("over the whole range of exponents a decimal is strtod's or a neighbour", "[decimal]") {
  std::mt19937_64 random(11);
  const auto check = [](const std::string& text) {
    CAPTURE(text);
    const double wanted = std::strtod(text.c_str(), nullptr), got = decimal(text);
    REQUIRE((got == wanted || got == std::nextafter(wanted, -HUGE_VAL) || got == std::nextafter(wanted, HUGE_VAL)));
  };
  for (int exponent = -400; exponent <= 400; ++exponent)
    for (int i = 0; i < 10; ++i) {
      std::string text = std::to_string(random() >> (random() % 64));
      if (i % 2 == 0) text.insert(random() % text.size() + 1, ".");
      if (text.ends_with('.')) text += '0';
      check(text + "e" + std::to_string(exponent));
    }
  // Exponents at the limits of integers, with digits before and after the point.
  for (const char* exponent : {"2147483647", "-2147483648", "2147483648", "-2147483649", "9223372036854775807", "-9223372036854775808",
                               "9223372036854775808", "99999999999999999999", "-99999999999999999999", "+9223372036854775807"})
    for (const char* digits : {"0.1", "1", "12345678901234567890123.5", "0.00", "-7.25"}) check(std::string(digits) + "e" + exponent);
  // Numbers with 2,000 zeros that the exponent cancels.
  check("1" + std::string(2000, '0') + "e-2000");
  check("0." + std::string(2000, '0') + "1e2001");
}

TEST_CASE("numbers that JSON lacks are parsed, too", "[decimal]") {
  CHECK(std::isnan(decimal("NaN")));
  CHECK(decimal("Infinity") == HUGE_VAL);
  CHECK(decimal("-Infinity") == -HUGE_VAL);
}

}  // namespace param_ledger::test
