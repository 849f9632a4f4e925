#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

constexpr const char* llama_1_7b = R"(LlamaModel(
  (embed_tokens): Embedding(32000, 4096, padding_idx=0)
  (layers): ModuleList(
    (0-31): 32 x LlamaDecoderLayer(
      (self_attn): LlamaSdpaAttention(
        (q_proj): Linear(in_features=4096, out_features=4096, bias=False)
        (k_proj): Linear(in_features=4096, out_features=4096, bias=False)
        (v_proj): Linear(in_features=4096, out_features=4096, bias=False)
        (o_proj): Linear(in_features=4096, out_features=4096, bias=False)
        (rotary_emb): LlamaRotaryEmbedding()
      )
      (mlp): LlamaMLP(
        (gate_proj): Linear(in_features=4096, out_features=11008, bias=False)
        (up_proj): Linear(in_features=4096, out_features=11008, bias=False)
        (down_proj): Linear(in_features=11008, out_features=4096, bias=False)
        (act_fn): SiLU()
      )
      (input_layernorm): LlamaRMSNorm()
      (post_attention_layernorm): LlamaRMSNorm()
    )
  )
  (norm): LlamaRMSNorm()
)
)";

}  // namespace

TEST_CASE("Llama 1 7B as the article printed it, norms without a width", "[inputs]") {
  const Json reading = reading_of(llama_1_7b);
  CHECK(reading.at("kind") == "printed_model");
  CHECK(reading.at("class") == "LlamaModel");
  CHECK(reading.at("partial") == false);
  CHECK(total(reading) == "6607343616");
  CHECK(total(reading, "shown") == std::to_string(6607343616 - (2 * 32 + 1) * 4096));
  CHECK(problems_of(reading).empty());
  const Json norm = row(reading, "tensors", "layers.[0-31].input_layernorm.weight");
  CHECK(norm.at("taken") == true);
  CHECK(norm.at("total") == "131072");
  CHECK_FALSE(row(reading, "tensors", "embed_tokens.weight").contains("taken"));
  CHECK(reading.at("recognised").at("model_type") == "llama");
  CHECK(reading.at("recognised").at("agrees") == true);
  CHECK(reading.at("recognised").at("open").empty());
}

TEST_CASE("a norm that is printed with an empty shape has no weight", "[inputs]") {
  const std::string before = "LlamaRMSNorm()", shaped = "LlamaRMSNorm((4096,), eps=1e-06)", empty = "LlamaRMSNorm((), eps=1e-06)";
  std::string text = llama_1_7b;
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before)) text.replace(at, before.size(), shaped);
  const std::string config = R"({"model_type": "llama", "architectures": ["LlamaModel"]})";
  CHECK(reading_of(text, config).at("check").at("agrees") == true);
  text.replace(text.rfind(shaped), shaped.size(), empty);
  const Json without = reading_of(text, config).at("check");
  CHECK(without.at("agrees") == false);
  REQUIRE(without.at("missing").size() == 1);
  CHECK(without.at("missing").at(0).at("name") == "norm.weight");
}

TEST_CASE("a convolution is not the matrix with the same rows and columns", "[inputs]") {
  std::string text = llama_1_7b;
  const std::string matrix = "Linear(in_features=4096, out_features=11008, bias=False)";
  text.replace(text.find(matrix), matrix.size(), "Conv1d(4096, 11008, kernel_size=(1,), stride=(1,), bias=False)");
  const Json checked = reading_of(text, R"({"model_type": "llama", "architectures": ["LlamaModel"]})").at("check");
  CHECK(checked.at("agrees") == false);
  REQUIRE(checked.at("other_shape").size() == 1);
  CHECK(checked.at("other_shape").at(0).at("shape") == Json({11008, 4096, 1}));
  CHECK(checked.at("other_shape").at(0).at("expected") == Json({11008, 4096}));
}

TEST_CASE("of several printed models the last one is shown", "[inputs]") {
  const Json reading = reading_of({{"a.txt", "Linear(in_features=2, out_features=3, bias=False)", {}}, {"b.txt", llama_1_7b, {}}});
  CHECK(reading.at("class") == "LlamaModel");
  CHECK(problems_of(reading) == "There are several printed models; the last one is shown.\n");
}

TEST_CASE("the same model in a fence, or with its layers one by one", "[inputs]") {
  CHECK(total(reading_of("```text\n" + std::string(llama_1_7b) + "```")) == "6607343616");
  std::string apart = llama_1_7b;
  const std::size_t begin = apart.find("    (0-31)"), end = apart.find("  )\n  (norm)");
  const std::string layer = apart.substr(begin, end - begin);
  std::string layers;
  for (int i = 0; i < 32; ++i) {
    std::string one = layer;
    one.replace(4, std::string("(0-31): 32 x ").size(), "(" + std::to_string(i) + "): ");
    layers += one;
  }
  apart.replace(begin, end - begin, layers);
  const Json reading = reading_of(apart);
  CHECK(total(reading) == "6607343616");
  CHECK(row(reading, "tensors", "layers.[0-31].mlp.up_proj.weight").at("copies") == "32");
}

TEST_CASE("for a truncated text only the visible part is counted", "[inputs]") {
  std::string cut = llama_1_7b;
  cut.resize(cut.find("(down_proj)"));
  const Json reading = reading_of(cut);
  CHECK(reading.at("partial") == true);
  CHECK(problems_of(reading).find("The text ends inside") != std::string::npos);
  CHECK_FALSE(reading.at("totals").contains("parameters"));
  CHECK(row(reading, "tensors", "layers.[0-31].mlp.up_proj.weight").at("total") == "1442840576");
}

}  // namespace param_ledger::test
