// An alias of a field counts like the field itself, and must not contradict it.

#include "tests/support/support.hpp"

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

TEST_CASE("an alias counts like the field and is reported", "[families]") {
  for (const auto& [model_type, field, alias] : spellings) {
    CAPTURE(model_type, field);
    const Json alone = answer_to(config_of(model_type, {{alias, "8"}}));
    REQUIRE(alone.at("ok") == true);
    CHECK(row(alone, "fields", field).at("given_as") == alias);
    CHECK(row(alone, "fields", field).at("value") == 8);
    CHECK(total(answer_to(config_of(model_type, {{field, "8"}, {alias, "8"}}))) == total(alone));
    const Json differing = answer_to(config_of(model_type, {{field, "4"}, {alias, "8"}}));
    REQUIRE(differing.at("ok") == false);
    CHECK(differing.at("error").at("code") == "inconsistent");
    CHECK(differing.at("error").at("message").get<std::string>().find(alias) != std::string::npos);
  }
}

}  // namespace param_ledger::test
