#include "core/nn/heads.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The rows of the head of a small model that is built as `architecture`, one per line: name, shape and, if tied, the target.
std::string head_of(std::string_view model_type, std::string_view architecture, std::string_view tied = "false") {
  const Json answer = answer_to(config_of(model_type, {{"architectures", "[\"" + std::string(architecture) + "\"]"},
                                                       {"hidden_size", "64"},
                                                       {"num_attention_heads", "4"},
                                                       {"id2label", R"({"0": "a", "1": "b", "2": "c"})"},
                                                       {"tie_word_embeddings", tied}}));
  std::string rows;
  for (const Json& tensor : answer.at("tensors")) {
    if (tensor.at("part") != "output_head" || tensor.value("kind", "") == "possible") continue;
    rows += tensor.at("name").get<std::string>() + ' ' + tensor.at("shape").dump();
    if (tensor.contains("tied_to")) rows += " = " + tensor.at("tied_to").get<std::string>();
    rows += '\n';
  }
  return rows;
}

}  // namespace

TEST_CASE("the class decides the head", "[heads]") {
  CHECK(head_of("llama", "LlamaModel").empty());
  CHECK(head_of("llama", "LlamaForCausalLM") == "lm_head.weight [32000,64]\n");
  CHECK(head_of("llama", "LlamaForCausalLM", "true") == "lm_head.weight [32000,64] = model.embed_tokens.weight\n");
  CHECK(head_of("llama", "LlamaForSequenceClassification") == "score.weight [3,64]\n");
  CHECK(head_of("llama", "LlamaForTokenClassification") == "score.weight [3,64]\nscore.bias [3]\n");
  CHECK(head_of("llama", "LlamaForQuestionAnswering") == "qa_outputs.weight [2,64]\nqa_outputs.bias [2]\n");
}

TEST_CASE("families name their heads", "[heads]") {
  CHECK(head_of("gpt_neox", "GPTNeoXForCausalLM", "true") == "embed_out.weight [50432,64] = gpt_neox.embed_in.weight\n");
  CHECK(head_of("gpt_neox", "GPTNeoXForTokenClassification") == "classifier.weight [3,64]\nclassifier.bias [3]\n");
}

TEST_CASE("a tied head adds no parameters but is there", "[heads]") {
  const auto totals = [](const char* tied) { return answer_to(config_of("llama", {{"tie_word_embeddings", tied}})).at("totals"); };
  CHECK(totals("false").at("output_head") == "131072000");
  CHECK(totals("true").at("output_head") == "0");
  CHECK(totals("true").at("embedding") == "131072000");
  CHECK(totals("true").at("non_embedding") == totals("false").at("non_embedding"));
}

}  // namespace param_ledger::test
