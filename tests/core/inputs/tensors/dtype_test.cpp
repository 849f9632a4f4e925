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

TEST_CASE("types are those of ggml's and NumPy's numbering", "[inputs]") {
  // Source: enum ggml_type in ggml.h.
  const auto of_ggml = [](std::uint64_t number) { return std::string_view(spelling(dtype_of_ggml(number))); };
  CHECK(of_ggml(0) == "F32");
  CHECK(of_ggml(1) == "F16");
  CHECK(of_ggml(8) == "Q8_0");
  CHECK(of_ggml(12) == "Q4_K");
  CHECK(of_ggml(28) == "F64");
  CHECK(of_ggml(30) == "BF16");
  CHECK(of_ggml(39) == "MXFP4");
  for (const std::uint64_t removed : {4U, 5U, 31U, 36U, 42U, 1000U}) CHECK(dtype_of_ggml(removed) == 0);
  const auto of_numpy = [](std::string_view word) { return std::string_view(spelling(dtype_of_numpy(word))); };
  for (const std::string_view word : {"f4", "<f4", ">f4", "=f4", "|f4"}) CHECK(of_numpy(word) == "F32");
  CHECK(of_numpy("|b1") == "BOOL");
  CHECK(of_numpy("<c16") == "C128");
  CHECK(of_numpy("|V2") == "BF16");
  for (const std::string_view word : {"", "<", "O", "f16", "<<f4", "V3"}) CHECK(dtype_of_numpy(word) == 0);
}

TEST_CASE("a type is written as in PyTorch or safetensors", "[inputs]") {
  const auto written = [](std::string_view word) { return std::string_view(spelling(dtype_written(word))); };
  for (const std::string_view word : {"F32", "f32", "float32", "torch.float32", "float", "torch.FLOAT", "fp32"})
    CHECK(written(word) == "F32");
  CHECK(written("torch.float4_e2m1fn_x2") == "F4");  // the longest name
  CHECK(written("torch.half") == "F16");
  CHECK(written("I8") == "I8");
  CHECK(written("iq2_xxs") == "IQ2_XXS");
  for (const std::string_view word : {"", "torch.", "f", "float33", "float4_e2m1fn_x22", "floa"}) CHECK(dtype_written(word) == 0);
  CHECK(dtype_spelled("F32") == dtype_written("F32"));
  CHECK(dtype_spelled("f32") == 0);
  CHECK(dtype_spelled("Q4_0") == 0);  // safetensors has no block formats
}

}  // namespace param_ledger::test
