#include "core/memory/packing.hpp"

#include "core/api/report.hpp"
#include "tests/support/support.hpp"

// Tests how matrices are packed, against calculations by hand.

namespace param_ledger::test {

namespace {

std::string bytes_of(const Json& config, const std::string& format) {
  return parsed(memory(config.dump(), Json{{"weights", format}}.dump())).at("weights").at("loaded").at("bytes").get<std::string>();
}

}  // namespace

TEST_CASE("groups of bitsandbytes run through several rows of a matrix", "[packing]") {
  // Four matrices of 24 × 24 have 576 weights each, which are nine groups of 64. Three matrices of 20 × 24 or 24 × 20 have 480 weights
  // each, which are seven and a half groups. The rest is two tables of 64 × 24 and three norms of 24.
  Json config = {{"model_type", "llama"},    {"hidden_size", 24}, {"intermediate_size", 20}, {"num_hidden_layers", 1},
                 {"num_attention_heads", 2}, {"vocab_size", 64},  {"torch_dtype", "float16"}};
  constexpr int numbers = (4 * 576 + 3 * 480) / 2, groups = 4 * 9 + 3 * 8, tables = 7 * 64, rest = 2 * (2 * 64 * 24 + 3 * 24);
  const std::string usual = std::to_string(numbers + 4 * groups + tables + rest);
  CHECK(bytes_of(config, "nf4") == usual);
  config["quantization_config"] = {{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}};
  CHECK(bytes_of(config, "published") == usual);
  // Nested scales have 8 bits. The nine or eight scales of a matrix share a scale of 32 bits and a table of 256 32-bit values.
  config["quantization_config"]["bnb_4bit_use_double_quant"] = true;
  CHECK(bytes_of(config, "published") == std::to_string(numbers + groups + 7 * (4 + 1024) + tables + rest));
}

TEST_CASE("weights in a type of numbers take its bits, and blocks of eight-bit floats have scales", "[packing]") {
  // Seven matrices with 3,744 numbers are one block of 128 × 128 each. Tables and norms have 3,144 numbers.
  const Json config = {{"model_type", "llama"},    {"hidden_size", 24}, {"intermediate_size", 20}, {"num_hidden_layers", 1},
                       {"num_attention_heads", 2}, {"vocab_size", 64},  {"torch_dtype", "float16"}};
  CHECK(bytes_of(config, "float32") == std::to_string(4 * (3744 + 3144)));
  CHECK(bytes_of(config, "bfloat16") == std::to_string(2 * (3744 + 3144)));
  CHECK(bytes_of(config, "float8") == std::to_string(3744 + 7 * 4 + 2 * 3144));
}

}  // namespace param_ledger::test
