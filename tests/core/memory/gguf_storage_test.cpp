#include "tests/support/memory_answer.hpp"

// Tests the bytes of weights in GGUF files against llama.cpp's rules, by hand.

namespace param_ledger::test {

TEST_CASE("llama.cpp's exceptions") {
  // If there are eight experts, llama.cpp stores the key and value projections in Q8_0, also in a Q4_0 file.
  const auto mixtral = [](unsigned experts, const std::string& format) {
    return weights(R"({"model_type":"mixtral","hidden_size":256,"intermediate_size":512,"num_local_experts":)" + std::to_string(experts) +
                       R"(,"num_experts_per_tok":1,"num_hidden_layers":8,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":64})",
                   format);
  };
  const auto bytes = [](std::uint64_t numbers, std::uint64_t of, std::uint64_t in) { return numbers / of * in; };
  const auto sum = [&](std::uint64_t experts, bool better) {
    const std::uint64_t queries = 2 * 256 * 256, keys = 2 * 128 * 256, fed = experts * 3 * 256 * 512;
    return bytes(8 * (queries + fed) + 64 * 256, 32, 18) + (better ? bytes(8 * keys, 32, 34) : bytes(8 * keys, 32, 18)) +
           bytes(64 * 256, 256, 210) + 4 * (8 * (2 * 256 + experts * 256) + 256);
  };
  CHECK(mixtral(8, "Q4_0") == std::to_string(sum(8, true)));
  CHECK(mixtral(4, "Q4_0") == std::to_string(sum(4, false)));
  CHECK(mixtral(8, "Q4_K_M") == "Which of these tensors llama.cpp stores more precisely in Q4_K_M is not known.");
  // LFM2's convolution layers have no value matrix.
  CHECK(weights(R"({"model_type":"lfm2","num_hidden_layers":2,"layer_types":["conv","full_attention"]})", "Q4_K_M") ==
        "Which of these tensors llama.cpp stores more precisely in Q4_K_M is not known.");
  // MLA's key projections are stored transposed, in rows of 128 weights. That is not a multiple of 256, so Q5_0 replaces Q4_K.
  const auto latent = [](const std::string& format) {
    return std::stoull(weights(R"({"model_type":"deepseek_v3","num_hidden_layers":1,"first_k_dense_replace":1})", format));
  };
  const std::uint64_t heads = 128, k_b = heads * 512 * 128, before = k_b / 256 * 144, now = k_b / 32 * 22;
  const std::uint64_t q_a = 1536 * 7168, q_b = heads * 192 * 1536, kv_a = 576 * 7168, v_b = heads * 128 * 512, o = 7168 * heads * 128;
  const std::uint64_t most = q_a + q_b + kv_a + v_b + o + 3 * 7168 * 18432 + 2 * 129'280 * 7168 + k_b;
  CHECK(latent("Q4_K") == most / 256 * 144 - before + now + 4 * (3 * 7168 + 1536 + 512));
  CHECK(latent("Q4_0") > 0);
}

TEST_CASE("llama.cpp does not quantize tables of positions and token types") {
  // Rows of 64 numbers are two blocks of Q8_0, of 34 bytes each. This GPT-2 has 32 tokens, 16 positions, no layers and a final norm.
  CHECK(weights(R"({"model_type":"gpt2","n_embd":64,"n_head":2,"n_layer":0,"vocab_size":32,"n_positions":16})", "Q8_0") ==
        std::to_string(32 * 2 * 34 + 4 * (16 * 64 + 2 * 64)));
  // This BERT also has two token types, and a pooler of 64 × 64 with a bias. Its norm belongs to the embeddings.
  CHECK(weights(R"({"model_type":"bert","architectures":["BertModel"],"hidden_size":64,"num_attention_heads":2,"num_hidden_layers":0,)"
                R"("vocab_size":32,"max_position_embeddings":16,"type_vocab_size":2})",
                "Q8_0") == std::to_string((32 + 64) * 2 * 34 + 4 * ((16 + 2) * 64 + 2 * 64 + 64)));
}

TEST_CASE("block formats with rows that are not whole blocks") {
  // Rows of 96 weights are three blocks of 32 but not a multiple of 256, so Q8_0 replaces Q6_K. Rows of 40 weights are not whole blocks of
  // 32 either, so they are stored in 16 bits.
  const auto of = [](const std::string& hidden, const std::string& format) {
    return weights(R"({"model_type":"llama","hidden_size":)" + hidden +
                       R"(,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64,"tie_word_embeddings":true})",
                   format);
  };
  CHECK(of("96", "Q6_K") == std::to_string(64 * 3 * 34 + 96 * 4));
  CHECK(of("96", "Q5_K") == std::to_string(64 * 3 * 24 + 96 * 4));  // in Q5_1
  CHECK(of("96", "Q4_K") == std::to_string(64 * 3 * 22 + 96 * 4));  // in Q5_0
  CHECK(of("40", "Q6_K") == std::to_string(64 * 40 * 2 + 40 * 4));
  CHECK(of("256", "Q4_0") == std::to_string(64 * 210 + 256 * 4));  // a tied table is also the head, which is in Q6_K
}

}  // namespace param_ledger::test
