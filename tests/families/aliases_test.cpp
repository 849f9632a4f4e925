// Fields under other names: which spelling counted, and what the answer says of the other. Their numbers are in edges.jsonl.

#include "tests/support.hpp"

namespace param_ledger::test {

namespace {

struct Spelling {
  const char* model_type;
  const char* field;
  const char* alias;
};

constexpr Spelling spellings[] = {
    {"qwen3_moe", "num_experts", "num_local_experts"},
    {"mixtral", "num_local_experts", "num_experts"},
    {"deepseek_v3", "n_routed_experts", "num_local_experts"},
    {"gpt_oss", "num_local_experts", "num_experts"},
    {"gpt2", "n_layer", "num_hidden_layers"},
    {"nemotron_h", "n_groups", "mamba_n_groups"},
    {"t5", "d_kv", "head_dim"},
    {"zamba2", "attention_head_dim", "head_dim"},
};

}  // namespace

TEST_CASE("an alias counts like the field, and over it", "[families]") {
  for (const auto& [model_type, field, alias] : spellings) {
    CAPTURE(model_type, field);
    const Json answer = answer_to(config_of(model_type, {{field, "4"}, {alias, "8"}}));
    const Json alone = answer_to(config_of(model_type, {{alias, "8"}}));
    REQUIRE(answer.at("ok") == true);
    CHECK(total(answer) == total(alone));
    CHECK(row(alone, "fields", field).at("given_as") == alias);
    CHECK(row(alone, "fields", field).at("value") == 8);
    // A field's row says what counted, the last row what was overridden.
    const Json& overridden = answer.at("fields").back();
    CHECK(overridden.at("name") == field);
    CHECK(overridden.at("source") == "ignored");
    CHECK(overridden.at("reason").get<std::string>().find(alias) != std::string::npos);
  }
}

}  // namespace param_ledger::test
