#include "core/claims/claim_figures.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// Writes the digits that `read_figures` reads from the start of a text, and the unread rest of the text in brackets.
std::string read(std::string_view text) {
  std::size_t at = 0;
  const std::string figures = read_figures(text, at);
  return figures + '[' + std::string(text.substr(at)) + ']';
}

}  // namespace

TEST_CASE("figures have groups, a fraction and an exponent", "[claim_text]") {
  CHECK(read("7b") == "7[b]");
  CHECK(read(".5b") == ".5[b]");
  CHECK(read("8.03 b") == "8.03[ b]");
  CHECK(read("8,03 b") == "8,03[ b]");
  CHECK(read("8,030,261,248.") == "8,030,261,248[.]");
  CHECK(read("8 030 261") == "8 030 261[]");
  CHECK(read("8 030 261 bytes") == "8 030 261[ bytes]");
  CHECK(read("8,030,261,7") == "8,030,261[,7]");
  CHECK(read("8,030 parameters") == "8,030[ parameters]");
  CHECK(read("8'030'261") == "8_030_261[]");
  CHECK(read("8.030.261") == "8.030.261[]");
  CHECK(read("8.030") == "8.030[]");
  CHECK(read("1,234.5") == "1,234.5[]");
  CHECK(read("1234,567") == "1234,567[]");
  CHECK(read("12,3456") == "12,3456[]");
}

TEST_CASE("an exponent is written with e, a power, or a power of ten", "[claim_text]") {
  CHECK(read("6.7e9") == "6.7e9[]");
  CHECK(read("6.7e+9") == "6.7e9[]");
  CHECK(read("6.7 e9") == "6.7[ e9]");
  CHECK(read("2^30") == "2^30[]");
  CHECK(read("8.03 * 10^9 b") == "8.03e9[ b]");
  CHECK(read("8.03 x 10^9") == "8.03e9[]");
  CHECK(read("8.03*10^9") == "8.03e9[]");
  CHECK(read("8.03 x10") == "8.03[ x10]");
  CHECK(read("8 experts") == "8[ experts]");
}

}  // namespace param_ledger::test
