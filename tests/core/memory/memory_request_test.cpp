#include "core/memory/memory_request.hpp"

#include "core/json/json_text.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("a number in units has three figures or more, and at most six decimals", "[memory_request]") {
  constexpr Count giga = 1'000'000'000;
  CHECK(in_units(123'456'780'000'000, giga) == "123,456.8");
  CHECK(in_units(10'500'000'000, giga) == "10.5");
  CHECK(in_units(10'000'000'000, giga) == "10.0");
  CHECK(in_units(9'990'000'000, giga) == "9.99");
  CHECK(in_units(1'004'900'000, giga) == "1.00");
  CHECK(in_units(999'000'000, giga) == "0.999");
  CHECK(in_units(99'000'000, giga) == "0.0990");
  CHECK(in_units(123'000, giga) == "0.000123");
  CHECK(in_units(499, giga) == "0.000000");
  CHECK(in_units(500, giga) == "0.000001");
  CHECK(in_units(3, 2) == "1.50");
}

TEST_CASE("a number of a request is an integer or its digits, within its limits", "[memory_request]") {
  const auto number = [](const char* json) -> std::string {
    const Document document(json);
    try {
      return digits(asked(document.root(), "n", 7, 2, 1000));
    } catch (const Error& e) {
      CHECK(e.field == "n");
      return e.message;
    }
  };
  for (const char* none : {"{}", R"({"n": null})"}) CHECK(number(none) == "7");
  for (const char* given : {R"({"n": 12})", R"({"n": "12"})"}) CHECK(number(given) == "12");
  CHECK(number(R"({"n": 2})") == "2");
  CHECK(number(R"({"n": 1000})") == "1000");
  for (const char* wrong : {R"({"n": 1})", R"({"n": 1001})", R"({"n": -12})", R"({"n": "12a"})", R"({"n": ""})", R"({"n": 12.0})",
                            R"({"n": true})", R"({"n": [12]})"})
    CHECK(number(wrong) == "n must be a whole number from 2 to 1,000.");
}

TEST_CASE("a cache has 8, 16 or 32 bits", "[memory_request]") {
  const auto bytes = [](const char* json) {
    const Document document(json);
    return cache_numbers(document.root()).bytes;
  };
  CHECK(bytes("{}") == 2);
  CHECK(bytes(R"({"cache": "float16"})") == 2);
  CHECK(bytes(R"({"cache": "float8"})") == 1);
  CHECK(bytes(R"({"cache": "float32"})") == 4);
  for (const char* wrong : {R"({"cache": "int4"})", R"({"cache": "float64"})", R"({"cache": "x"})"})
    CHECK(error_of([&] { bytes(wrong); }).field == "cache");
}

}  // namespace param_ledger::test
