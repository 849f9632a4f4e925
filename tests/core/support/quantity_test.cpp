#include "core/support/quantity.hpp"

#include "core/support/error.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The bounds of a parsed number as "low high", or "refused".
std::string range(std::string_view text) {
  try {
    const Quantity q = read_quantity(text, "claim");
    return digits(q.low) + ' ' + digits(q.high);
  } catch (const Error& e) {
    return e.code == ErrorCode::wrong_type && e.field == "claim" ? "refused" : "another error";
  }
}

}  // namespace

TEST_CASE("the last digit gives a number's precision", "[quantity]") {
  CHECK(range("6,738,411,520") == "6738411520 6738411520");
  CHECK(range("6738411520 parameters") == "6738411520 6738411520");
  CHECK(range("6.738.411.520") == "6738411520 6738411520");
  CHECK(range("6 738 411 520") == "6738411520 6738411520");
  CHECK(range("6\u202f738\u202f411\u202f520") == "6738411520 6738411520");
  CHECK(range("6_738_411_520") == "6738411520 6738411520");
  CHECK(range("8.03B") == "8025000000 8035000000");
  CHECK(range("8,03 B") == "8025000000 8035000000");
  CHECK(range("6.738 billion") == "6737500000 6738500000");
  CHECK(range("~405 b") == "404500000000 405500000000");
  CHECK(range("about 405 billion parameters") == "404500000000 405500000000");
  CHECK(range("7B") == "6500000000 7500000000");
  CHECK(range("7.0B") == "6950000000 7050000000");
  CHECK(range("8.19M") == "8185000 8195000");
  CHECK(range("1.1 trillion") == "1050000000000 1150000000000");
  CHECK(range("6.7e9") == "6650000000 6750000000");
  CHECK(range("6.74 × 10^9") == "6735000000 6745000000");
  CHECK(range("2^30") == "1073741824 1073741824");
  CHECK(range("4.096K") == "4096 4096");
  CHECK(range("0") == "0 0");
  // The intermediate result 2 · 170,141,183,460,469,231,731,687,303,715 · 10^9 is just below 2^128.
  CHECK(range(".170141183460469231731687303715e9") == "170141183 170141183");
  CHECK(range("6.738.411,5") == "6738411 6738411");
  CHECK(range("1,234.5") == "1234 1234");
  CHECK(range(".123.456") == "refused");
}

TEST_CASE("bytes have a unit and parameters may have a number type", "[quantity]") {
  const Quantity fp16 = read_quantity("13.5 GB in fp16", "claim");
  CHECK(fp16.bytes);
  CHECK(fp16.decimal);
  CHECK(fp16.bits == 16);
  CHECK(fp16.dtype == "float16");
  CHECK(digits(fp16.low) == "13450000000");
  const Quantity binary = read_quantity("12.55 GiB", "claim");
  CHECK(binary.bytes);
  CHECK_FALSE(binary.decimal);
  CHECK(binary.bits == 0);
  CHECK(digits(binary.low) == "13470091183");   // 12.545 × 2^30 rounded up
  CHECK(digits(binary.high) == "13480828600");  // 12.555 × 2^30 rounded down
  CHECK(read_quantity("4 GB (4-bit)", "claim").bits == 4);
  CHECK(read_quantity("8 GB, 8 bit", "claim").bits == 8);
  CHECK(read_quantity("28GB torch.float32", "claim").bits == 32);
  CHECK(range("13476831232 bytes") == "13476831232 13476831232");
}

TEST_CASE("a GGUF format is recognised in any case", "[quantity]") {
  CHECK(read_quantity("4.92 GB in Q4_K_M", "claim").format == "Q4_K_M");
  CHECK(read_quantity("4.92 GB (q4_k_m, GGUF)", "claim").format == "Q4_K_M");
  CHECK(read_quantity("12.8 GiB in MXFP4", "claim").format == "MXFP4");
  CHECK(read_quantity("4 GB in iq4_xs", "claim").format == "IQ4_XS");
  CHECK(range("4 GB in Q4_K_M Q8_0") == "refused");
  CHECK(range("4 GB in fp16 Q8_0") == "refused");
}

TEST_CASE("words around a number say what it counts", "[quantity]") {
  const auto subject_of = [](const char* text) { return read_quantity(text, "claim").subject; };
  CHECK(subject_of("6.74B parameters in total") == 0);
  CHECK(subject_of("37B activated") == subject::active);
  CHECK(subject_of("embedding 302M") == subject::embeddings);
  CHECK(subject_of("6.53B non-embedding") == subject::no_embeddings);
  CHECK(subject_of("non-embedding: 6.53B") == subject::no_embeddings);
  CHECK(subject_of("6.53B w/o embeddings and LM head") == (subject::no_embeddings | subject::no_head));
  CHECK(subject_of("3B active, without embedding") == (subject::active | subject::no_embeddings));
  CHECK(subject_of("vision tower 417M") == subject::vision);
  CHECK(subject_of("feed-forward 45.1B") == subject::feed_forward);
  CHECK(range("about .5B") == "450000000 550000000");
  CHECK(range("about -7B") == "refused");
  CHECK(range("400B+") == "399500000000 400500000000");
}

TEST_CASE("trailing zeros may be rounded", "[quantity]") {
  CHECK(read_quantity("7,000,000,000", "claim").zeros == 9);
  CHECK(read_quantity("340M", "claim").zeros == 1);
  CHECK(read_quantity("7.00B", "claim").zeros == 0);
  CHECK(read_quantity("32,000", "claim").zeros == 3);
  CHECK(read_quantity("6,738,411,520", "claim").zeros == 0);
}

TEST_CASE("text that is not a quantity is refused", "[quantity]") {
  for (const char* text : {"", " ", "many", "B", "7 bananas", "-7B", "7B 8B", "1e999", "2^999", "7 GB MB", "8x7B", "1.2.3", "0x10",
                           "12 fp16 fp32", "99999999999999999999999999999999999999999", "7\xff"})
    CHECK(range(text) == "refused");
  CHECK_THROWS_AS(read_quantity(std::string(1000, '1'), "claim"), Error);
}

}  // namespace param_ledger::test
