#include "core/builder/head_shares.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The notes that a dimension is not a multiple of another one, each with whether it is a warning.
std::vector<std::pair<bool, std::string>> remarks(std::string_view type, GivenFields fields) {
  std::vector<std::pair<bool, std::string>> out;
  const Json answer = answer_to(config_of(type, fields));
  REQUIRE(answer.at("ok") == true);
  for (const Json& note : answer.at("notes")) {
    const auto message = note.at("message").get<std::string>();
    if (message.find(" is not a multiple of ") != std::string::npos) out.emplace_back(note.at("level") == "warning", message);
  }
  return out;
}

}  // namespace

TEST_CASE("key-value heads that do not divide the heads give one warning", "[head_shares]") {
  const auto told = remarks("mistral", {{"hidden_size", "96"}, {"num_attention_heads", "6"}, {"num_key_value_heads", "4"}});
  REQUIRE(told.size() == 1);
  CHECK(told[0].first);
  CHECK(told[0].second.find("(6) is not a multiple of") != std::string::npos);
  CHECK(told[0].second.find("cannot run it") != std::string::npos);
  CHECK(remarks("mistral", {{"hidden_size", "96"}, {"num_attention_heads", "6"}, {"num_key_value_heads", "3"}}).empty());
}

TEST_CASE("an unused remainder of the width is noted if the head dimension is derived", "[head_shares]") {
  const auto told = remarks("mistral", {{"hidden_size", "100"}, {"num_attention_heads", "8"}, {"num_key_value_heads", "8"}});
  REQUIRE(told.size() == 1);
  CHECK_FALSE(told[0].first);
  CHECK(told[0].second.find(": 4 of these dimensions belong to no head.") != std::string::npos);  // 100 - 8·12
  CHECK(
      remarks("mistral", {{"hidden_size", "100"}, {"num_attention_heads", "8"}, {"num_key_value_heads", "8"}, {"head_dim", "12"}}).empty());
}

TEST_CASE("published shapes give no note", "[head_shares]") {
  for (const std::string_view type : {"llama", "mistral", "mixtral", "qwen3", "gemma3_text", "deepseek_v3", "gpt2", "falcon", "t5", "bert"})
    CHECK(remarks(type, {}).empty());
}

}  // namespace param_ledger::test
