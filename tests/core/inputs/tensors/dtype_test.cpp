#include "core/inputs/tensors/dtype.hpp"

#include "tests/support/catch.hpp"

namespace param_ledger::test {

TEST_CASE("the bytes of a block are those of its parts in ggml", "[inputs]") {
  // The bytes of a block in this format. The expected sums list the fields of the block in ggml-common.h: the packed numbers, then the high
  // bits, signs, scales and minima that the format has.
  const auto block = [](std::string_view type) {
    const Dtype dtype = dtype_written(type);
    return bytes_of(dtype, numbers_of_block(dtype));
  };
  CHECK(block("Q4_0") == 32 / 2 + 2);
  CHECK(block("Q4_1") == 32 / 2 + 4);
  CHECK(block("Q5_0") == 32 / 2 + 32 / 8 + 2);
  CHECK(block("Q5_1") == 32 / 2 + 32 / 8 + 4);
  CHECK(block("Q8_0") == 32 + 2);
  CHECK(block("Q2_K") == 256 / 4 + 256 / 16 + 4);
  CHECK(block("Q3_K") == 256 / 4 + 256 / 8 + 12 + 2);
  CHECK(block("Q4_K") == 256 / 2 + 12 + 4);
  CHECK(block("Q5_K") == 256 / 2 + 256 / 8 + 12 + 4);
  CHECK(block("Q6_K") == 256 / 2 + 256 / 4 + 256 / 16 + 2);
  CHECK(block("Q8_K") == 256 + 256 / 16 * 2 + 4);
  CHECK(block("IQ2_XXS") == 256 / 8 * 2 + 2);
  CHECK(block("IQ2_XS") == 256 / 8 * 2 + 256 / 32 + 2);
  CHECK(block("IQ2_S") == 256 / 4 + 256 / 32 + 256 / 32 + 2);
  CHECK(block("IQ3_XXS") == 3 * 256 / 8 + 2);
  CHECK(block("IQ3_S") == 256 / 4 + 256 / 32 + 256 / 8 + 256 / 64 + 2);
  CHECK(block("IQ1_S") == 256 / 8 + 256 / 32 * 2 + 2);
  CHECK(block("IQ1_M") == 256 / 8 + 256 / 16 + 256 / 32);
  CHECK(block("IQ4_NL") == 32 / 2 + 2);
  CHECK(block("IQ4_XS") == 256 / 2 + 2 + 256 / 64 + 2);
  CHECK(block("TQ1_0") == (256 - 4 * 256 / 64) / 5 + 256 / 64 + 2);
  CHECK(block("TQ2_0") == 256 / 4 + 2);
  CHECK(block("MXFP4") == 32 / 2 + 1);
  CHECK(block("NVFP4") == 64 / 2 + 64 / 16);
}

}  // namespace param_ledger::test
