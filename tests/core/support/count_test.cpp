#include "core/support/count.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

constexpr Count largest = ~Count{0};

ErrorCode code(const Error& error) { return error.code; }

}  // namespace

TEST_CASE("the greatest common divisor", "[count]") {
  CHECK(common_divisor(12, 18) == 6);
  CHECK(common_divisor(7, 0) == 7);
  CHECK(common_divisor(0, 7) == 7);
  CHECK(common_divisor(largest, largest / 3) == largest / 3);
}

TEST_CASE("counts are written in digits", "[count]") {
  CHECK(digits(0) == "0");
  CHECK(digits(8030261248) == "8030261248");
  CHECK(digits(largest) == "340282366920938463463374607431768211455");
  // Numbers next to 2^64. Larger ones need 128-bit division to be written.
  CHECK(digits(18446744073709551615U) == "18446744073709551615");
  CHECK(digits(Count{18446744073709551615U} + 1) == "18446744073709551616");
  CHECK(digits(Count{10'000'000'000'000'000'000U} * 10) == "100000000000000000000");
  // Numbers next to a power of ten, and numbers with long runs of zeros.
  CHECK(digits(999'999'999) == "999999999");
  CHECK(digits(1'000'000'000) == "1000000000");
  CHECK(digits(1'000'000'007'000'000'000) == "1000000007000000000");
  CHECK(digits(Count{1'000'000'000'000'000'000} * 1'000'000'000 + 5) == "1000000000000000000000000005");
}

TEST_CASE("groups of three begin at the end", "[count]") {
  CHECK(grouped_digits(0) == "0");
  CHECK(grouped_digits(999) == "999");
  CHECK(grouped_digits(1000) == "1,000");
  CHECK(grouped_digits(128256) == "128,256");
  CHECK(grouped_digits(8030261248) == "8,030,261,248");
  CHECK(grouped_digits(largest) == "340,282,366,920,938,463,463,374,607,431,768,211,455");
}

TEST_CASE("sums and products are exact up to the largest count, and refused above", "[count]") {
  CHECK(add(largest - 1, 1) == largest);
  CHECK(code(error_of([] { add(largest, 1); })) == ErrorCode::overflow);
  CHECK(multiply(largest / 5, 5) == largest);  // 2^128 - 1 is a multiple of 5
  CHECK(code(error_of([] { multiply(largest / 5 + 1, 5); })) == ErrorCode::overflow);
  CHECK(code(error_of([] { multiply(Count{1} << 64U, Count{1} << 64U); })) == ErrorCode::overflow);
  CHECK(multiply(largest, 0) == 0);
  CHECK(multiply(0, largest) == 0);
}

}  // namespace param_ledger::test
