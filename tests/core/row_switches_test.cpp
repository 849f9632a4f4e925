#include "core/row_switches.hpp"

#include "core/json.hpp"
#include "tests/catch.hpp"

namespace param_ledger::test {

namespace {

/// 340 = 2 × (48 attention + 72 feed-forward + 8 norms) + 4 final norm + 40 embedding + 40 head
constexpr std::string_view llama = R"({"model_type": "llama", "hidden_size": 4, "num_hidden_layers": 2, "num_attention_heads": 2,
  "num_key_value_heads": 1, "intermediate_size": 6, "vocab_size": 10})";

/// 804 = 2 × (48 attention + 16 router + 4 × 72 experts + 8 norms) + 4 final norm + 40 embedding + 40 head
constexpr std::string_view mixtral = R"({"model_type": "mixtral", "hidden_size": 4, "num_hidden_layers": 2, "num_attention_heads": 2,
  "num_key_value_heads": 1, "intermediate_size": 6, "vocab_size": 10, "num_local_experts": 4, "num_experts_per_tok": 2})";

constexpr std::string_view dbrx = R"({"model_type": "dbrx", "d_model": 4, "n_layers": 2, "n_heads": 2, "vocab_size": 10,
  "attn_config": {"kv_n_heads": 1}, "ffn_config": {"ffn_hidden_size": 6, "moe_num_experts": 4, "moe_top_k": 2}})";

/// 968 = 2 × (62 attention, of which 12 biases and 2 sinks + 20 router with bias + 4 × 88 experts with biases + 8 norms) + 4 + 40 + 40
constexpr std::string_view gpt_oss = R"({"model_type": "gpt_oss", "hidden_size": 4, "num_hidden_layers": 2, "num_attention_heads": 2,
  "num_key_value_heads": 1, "head_dim": 2, "intermediate_size": 6, "vocab_size": 10, "num_local_experts": 4, "num_experts_per_tok": 2})";

std::vector<Count> sums(std::string_view config, const std::vector<std::uint32_t>& sets, const Subset& subset = {}) {
  const Document document(config);
  return row_sums(Model(document.root()), subset, sets);
}

}  // namespace

TEST_CASE("each switch takes its rows out of the sum, together they take each row once", "[claim]") {
  using enum RowSwitch::Name;
  CHECK(sums(llama, {0, bit(output_head), bit(embeddings), bit(final_norm), bit(norms), bit(norms) | bit(final_norm), bit(biases)}) ==
        std::vector<Count>{340, 300, 300, 336, 320, 320, 340});
  CHECK(sums(llama, {bit(two_matrices), bit(two_matrices) | bit(embeddings)}) == std::vector<Count>{340 - 2 * 24, 300 - 2 * 24});
}

TEST_CASE("experts are counted as a token meets them, or one of them alone", "[claim]") {
  using enum RowSwitch::Name;
  CHECK(sums(mixtral, {0, bit(active_only), bit(experts_once), bit(router)}) ==
        std::vector<Count>{804, 804 - 2 * 2 * 72, 804 - 2 * 3 * 72, 804 - 2 * 16});
  // The same with experts that are rows of three matrices.
  CHECK(sums(dbrx, {0, bit(active_only), bit(experts_once), bit(router)}) ==
        std::vector<Count>{804, 804 - 2 * 2 * 72, 804 - 2 * 3 * 72, 804 - 2 * 16});
  CHECK(sums(gpt_oss, {0, bit(active_only), bit(experts_once)}) == std::vector<Count>{968, 968 - 2 * 2 * 88, 968 - 2 * 3 * 88});
}

TEST_CASE("a switch may count what is no parameter", "[claim]") {
  using enum RowSwitch::Name;
  const std::string tied = std::string(llama.substr(0, llama.size() - 1)) + R"(, "tie_word_embeddings": true})";
  CHECK(sums(tied, {0, bit(tied_head)}) == std::vector<Count>{300, 340});
}

TEST_CASE("a sum may be of some tensors, and of one copy of each", "[claim]") {
  CHECK(sums(llama, {0}, {{"q_proj", "k_proj"}}) == std::vector<Count>{2 * (16 + 8)});
  CHECK(sums(llama, {0}, {{"q_proj", "k_proj"}, true}) == std::vector<Count>{16 + 8});
}

TEST_CASE("the rows that are counted otherwise are named, with what is counted of them", "[claim]") {
  const Document document(mixtral);
  const std::vector<RowShare> rows = rows_of(Model(document.root()), bit(RowSwitch::final_norm) | bit(RowSwitch::router));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name.ends_with("gate.weight"));
  CHECK((rows[0].counted == 0 && rows[0].usual == 2 * 16));
  CHECK(rows[1].name == "model.norm.weight");
  CHECK((rows[1].counted == 0 && rows[1].usual == 4));
}

}  // namespace param_ledger::test
