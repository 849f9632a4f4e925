#include "core/claims/arithmetic.hpp"

#include "core/support/error.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

std::string value(std::string_view text) {
  const std::vector<Binding> names = {{"d", {4096, 1, false}},
                                      {"V", {32000, 1, false}},
                                      {"text_config.hidden_size", {7, 1, false}},
                                      {"d", {4095, 1, false}},
                                      {"d", {4096, 1, false}}};
  try {
    const Fraction f = Arithmetic(text, "expression").value(names);
    return std::string(f.negative ? "-" : "") + digits(f.above) + (f.below == 1 ? "" : "/" + digits(f.below));
  } catch (const Error& e) {
    return std::string(spelling(e.code));
  }
}

}  // namespace

TEST_CASE("arithmetic is parsed as people write it", "[arithmetic]") {
  CHECK(value("32,000 × 4,096") == "131072000");
  CHECK(value("V·d") == "131072000");
  CHECK(value("4 * d^2") == "67108864");
  CHECK(value("4 * d**2") == "67108864");
  CHECK(value("4d") == "wrong_type");
  CHECK(value("4·d²") == "67108864");
  CHECK(value("2 + 3 * 4 - 1") == "13");
  CHECK(value("2 − 3") == "-1");
  CHECK(value("(2 + 3) * (4 - 1)") == "15");
  CHECK(value("24 / 4 / 2") == "3");
  CHECK(value("8 / 3") == "8/3");
  CHECK(value("int(2 * (4 * d) / 3)") == "10922");
  CHECK(value("ceil(10922 / 256) * 256") == "11008");
  CHECK(value("int(7 / 2) * 100 + floor(7 / 2) * 10 + ceil(7 / 2)") == "334");
  CHECK(value("256 * ((10922 + 256 - 1) // 256)") == "11008");
  CHECK(value("10922 % 256") == "170");
  CHECK(value("1.5 * 4") == "6");
  CHECK(value("text_config.hidden_size + 1") == "8");
  CHECK(value("2^10^1") == "wrong_type");
}

TEST_CASE("invalid arithmetic is refused", "[arithmetic]") {
  for (const char* text : {"", "2 +", "(2", "2)", "2 2", "+", "d d", "unknown", "2 ** ", "2,00", "1.5,000", "$", "2 & 3", "\xff", "d(3)",
                           "max(3)", "floor 3", "int(3", "2(3)"}) {
    INFO(text);
    CHECK(value(text) == "wrong_type");
  }
  CHECK(value("1 / 0") == "out_of_range");
  CHECK(value("1 / (d - d)") == "out_of_range");
  CHECK(value("2^1000") == "out_of_range");
  CHECK(value("99999999999999999999^9") == "overflow");
  CHECK(value("floor(1 - 2)") == "out_of_range");
  CHECK(value("1.5 % 2") == "out_of_range");
  // An expression is one level; each pair of brackets is another. There may be 50 levels.
  CHECK(value(std::string(49, '(') + "7" + std::string(49, ')')) == "7");
  CHECK(value(std::string(50, '(') + "7" + std::string(50, ')')) == "too_deep");
  CHECK(value(std::string(200, '(')) == "too_deep");
  CHECK(value(std::string(3000, '1')) == "too_large");
}

TEST_CASE("an expression with numbers for its names keeps only the brackets that it needs", "[arithmetic]") {
  const auto text = [](std::string_view expression) { return Arithmetic(expression, "").substituted({{"d", {4096, 1, false}}}); };
  CHECK(text("d + (1 + 2)") == "4,096 + 1 + 2");
  CHECK(text("(5 - 3) * (1 + 2)") == "(5 − 3) × (1 + 2)");
  CHECK(text("(5 - 3) - (2 - 1)") == "5 − 3 − (2 − 1)");
  CHECK(text("2 * (3 * 4) - 1") == "2 × 3 × 4 − 1");
  CHECK(text("8 / 2 / (4 / 2)") == "8 ÷ 2 ÷ (4 ÷ 2)");
  CHECK(text("8 * (4 / 2) % (2 + 1)") == "8 × 4 ÷ 2 mod (2 + 1)");
  CHECK(text("8 * (5 % 3) + d % (2 * 3)") == "8 × (5 mod 3) + 4,096 mod (2 × 3)");
  CHECK(text("(2 * d)^2 + (2^3)^2") == "(2 × 4,096)^2 + (2^3)^2");
  CHECK(text("1.5 * 4 / 1.5 + 1.5^2") == "3/2 × 4 ÷ (3/2) + (3/2)^2");
  CHECK(text("floor((1 + 2) / 2) + ceil(d / 3)") == "⌊(1 + 2) ÷ 2⌋ + ⌈4,096 ÷ 3⌉");
}

TEST_CASE("terms and factors of an expression", "[arithmetic]") {
  const auto text = [](const std::vector<Fraction>& parts) {
    std::string out;
    for (const Fraction& f : parts) out += digits(f.above) + ' ';
    return out;
  };
  CHECK(text(Arithmetic("2 + 3 * 4 + 5", "").terms({})) == "5 12 2 ");
  CHECK(text(Arithmetic("2 * (3 * 4)", "").factors({})) == "4 3 2 ");
  CHECK(text(Arithmetic("7", "").factors({})) == "7 ");
}

}  // namespace param_ledger::test
