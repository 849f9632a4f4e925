#include "tests/support/memory_answer.hpp"

// Tests the memory of training, by hand.

namespace param_ledger::test {

TEST_CASE("optimizers by hand") {
  // Three tensors: a table and a head of 64 × 128, a norm of 128.
  const std::string config = R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64})";
  const std::uint64_t n = 2 * 64 * 128 + 128;
  const auto states = [&](const std::string& optimizer, const std::string& more = "") -> std::string {
    const Json answer = memory_answer(config, R"("training":{"optimizer":")" + optimizer + "\"" + more + "}");
    for (const Json& row : answer.at("training").at("rows"))
      if (row.at("name") == "states") return row.at("total").at("bytes").get<std::string>();
    return "none";
  };
  CHECK(states("adamw") == std::to_string(8 * n));
  CHECK(states("adamw", R"(,"precision":"bfloat16")") == std::to_string(4 * n));
  CHECK(states("adamw_8bit") == std::to_string(2 * (2 * 8192 + 8 * 32) + 8 * 128));
  // A table of 65 × 128 is 32.5 blocks. The half block at the end has a scale of its own.
  const Json half =
      memory_answer(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":65})",
                    R"("training":{"optimizer":"adamw_8bit"})");
  CHECK(half.at("training").at("rows").back().at("total").at("bytes") == std::to_string(2 * (2 * 8320 + 8 * 33) + 8 * 128));
  // 8-bit AdamW has a scale for each 256 numbers of a tensor with at least 4,096. Smaller tensors have states in 32 bits.
  const auto eight_bits = [](std::uint64_t rows) {
    return memory_answer(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":)" +
                             std::to_string(rows) + "}",
                         R"("training":{"optimizer":"adamw_8bit"})")
        .at("training")
        .at("rows")
        .back()
        .at("total")
        .at("bytes");
  };
  CHECK(eight_bits(600) == std::to_string(2 * (2 * 600 * 128 + 8 * 300) + 8 * 128));
  CHECK(eight_bits(32) == std::to_string(2 * (2 * 4096 + 8 * 16) + 8 * 128));
  CHECK(eight_bits(31) == std::to_string(2 * 8 * 31 * 128 + 8 * 128));
  CHECK(states("sgd") == "none");
  CHECK(states("sgd_momentum") == std::to_string(4 * n));
  CHECK(states("adafactor") == std::to_string(4 * (2 * (64 + 128) + 128)));
  // Adafactor keeps a mean for each row and column of each of three experts. Their matrices are 2 · 16 × 128 and 128 × 16. The model
  // also has two tables of 64 × 128, four matrices of 128 × 128, a router of 3 × 128 and three norms of 128.
  const Json mixture = memory_answer(R"({"model_type":"granitemoe","hidden_size":128,"num_hidden_layers":1,"num_attention_heads":2,)"
                                     R"("num_key_value_heads":2,"vocab_size":64,"tie_word_embeddings":false,"num_local_experts":3,)"
                                     R"("num_experts_per_tok":1,"intermediate_size":16})",
                                     R"("training":{"optimizer":"adafactor"})");
  CHECK(mixture.at("training").at("rows").back().at("total").at("bytes") ==
        std::to_string(4 * (3 * (32 + 128) + 3 * (128 + 16) + 2 * (64 + 128) + 4 * (128 + 128) + (3 + 128) + 3 * 128)));
  CHECK(states("muon") == std::to_string(8 * n));  // Muon does not optimize tables, heads or vectors, which use AdamW
  CHECK(memory_answer(config, R"("training":{"optimizer":"lion"})").at("error").at("field") == "optimizer");
}

TEST_CASE("training is divided among devices, with a remainder") {
  const std::string config = R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64})";
  const Json training = memory_answer(config, R"("devices":7,"training":{"stage":2})").at("training");
  const std::uint64_t n = 2 * 64 * 128 + 128;
  const std::uint64_t bytes[] = {2 * n, 2 * n, 4 * n, 8 * n};
  REQUIRE(training.at("rows").size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& row = training.at("rows")[i];
    const bool divided = i > 0;
    CHECK(row.at("total").at("bytes") == std::to_string(bytes[i]));
    CHECK(row.at("each").at("bytes") == std::to_string(divided ? (bytes[i] + 6) / 7 : bytes[i]));
    CHECK(row.value("rest", "0") == std::to_string(divided ? bytes[i] % 7 : 0));
  }
  CHECK(training.at("total").at("bytes") == std::to_string(16 * n));
  CHECK(training.at("each").at("bytes") == std::to_string(2 * n + (2 * n + 6) / 7 + (4 * n + 6) / 7 + (8 * n + 6) / 7));
}

}  // namespace param_ledger::test
