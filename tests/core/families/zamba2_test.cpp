// Tests shared blocks: which layers own the weights, and which layers are tied to them.

#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

Json zamba2(std::string_view blocks, std::string_view tied) {
  return answer_to(config_of("zamba2", {{"num_hidden_layers", "6"},
                                        {"layers_block_type", R"(["mamba", "hybrid", "hybrid", "mamba", "hybrid", "hybrid"])"},
                                        {"num_mem_blocks", blocks},
                                        {"tie_word_embeddings", tied}}));
}

/// The layers that use a shared block, each followed by "=" and the layer that owns the block's weights if they are tied.
std::string owners(const Json& answer) {
  std::string out;
  for (const Json& tensor : answer.at("tensors")) {
    const auto name = tensor.at("name").get<std::string>();
    if (name.find("shared_transformer.self_attn.q_proj") == std::string::npos) continue;
    const auto layer = [](const std::string& full) { return full.substr(13, full.find('.', 13) - 13); };  // after "model.layers."
    out += layer(name) + (tensor.contains("tied_to") ? "=" + layer(tensor.at("tied_to").get<std::string>()) : "") + ' ';
  }
  return out;
}

}  // namespace

TEST_CASE("the first layers that use a block hold it, the others are tied to them in turn", "[zamba2]") {
  CHECK(owners(zamba2("1", "true")) == "1 [2,4-5]=1 ");
  CHECK(owners(zamba2("2", "true")) == "[1-2] 4=1 5=2 ");
  CHECK(owners(zamba2("9", "true")) == "[1-2,4-5] ");
}

TEST_CASE("untied, each layer has its own block", "[zamba2]") { CHECK(owners(zamba2("2", "false")) == "[1-2,4-5] "); }

TEST_CASE("thousands of hybrid layers with shared blocks are refused", "[zamba2]") {
  std::string kinds;
  for (int i = 0; i < 6000; ++i) kinds += i == 0 ? "[\"hybrid\"" : i % 2 == 0 ? ",\"hybrid\"" : ",\"mamba\"";
  const Json answer =
      answer_to(config_of("zamba2", {{"num_hidden_layers", "6000"}, {"layers_block_type", kinds + "]"}, {"num_mem_blocks", "2"}}));
  CHECK(answer.at("error").at("code") == "too_large");
}

}  // namespace param_ledger::test
