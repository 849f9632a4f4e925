#include "core/registry/registry.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

std::string chosen(std::string_view model_type, std::string_view architecture) {
  const Choice choice = choose(model_type, architecture);
  return std::string(choice.family->model_type) + '/' + choice.architecture.name;
}

Error refusal(std::string_view model_type, std::string_view architecture) {
  return error_of([&] { choose(model_type, architecture); });
}

}  // namespace

TEST_CASE("each family occurs once, in alphabetical order, with a class", "[registry]") {
  // Families are sorted by their C++ names: a hyphen becomes an underscore, and model types with capitals have these names.
  const std::map<std::string_view, std::string_view> with_capitals = {{"DeepseekOCR", "deepseek_ocr"},
                                                                      {"DeepseekOCR2", "deepseek_ocr2_published"},
                                                                      {"RefinedWeb", "refined_web"},
                                                                      {"RefinedWebModel", "refined_web_model"}};
  std::vector<std::string> names;
  for (const Family* family : families()) {
    const auto found = with_capitals.find(family->model_type);
    std::string name(found == with_capitals.end() ? std::string_view(family->model_type) : found->second);
    std::replace(name.begin(), name.end(), '-', '_');
    names.push_back(std::move(name));
    CAPTURE(family->model_type.c_str());
    CHECK_FALSE(architectures(*family).empty());
    CHECK_FALSE(family->summary.empty());
  }
  const auto unsorted = std::adjacent_find(names.begin(), names.end(), std::greater_equal<>());
  CAPTURE(unsorted == names.end() ? "" : *unsorted);
  CHECK(unsorted == names.end());
}

TEST_CASE("model_type alone selects the first class", "[registry]") {
  CHECK(chosen("llama", "") == "llama/LlamaForCausalLM");
  CHECK(chosen("bert", "") == "bert/BertLMHeadModel");
}

TEST_CASE("an architecture alone selects its family, or the one it is named after", "[registry]") {
  CHECK(chosen("", "GPT2DoubleHeadsModel") == "gpt2/GPT2DoubleHeadsModel");
  CHECK(chosen("", "GPTNeoXModel") == "gpt_neox/GPTNeoXModel");
  CHECK(chosen("", "Gemma3ForCausalLM") == "gemma3_text/Gemma3ForCausalLM");
  // Other model types have classes with the names LlamaForCausalLM and LlamaModel, too.
  CHECK(chosen("", "LlamaForCausalLM") == "llama/LlamaForCausalLM");
  CHECK(chosen("", "LlamaModel") == "llama/LlamaModel");
}

TEST_CASE("an architecture of several families and named after none is ambiguous", "[registry]") {
  const Error error = refusal("", "RWForCausalLM");
  CHECK(error.code == ErrorCode::missing_field);
  CHECK(error.field == "model_type");
  CHECK(error.nearest == std::vector<std::string>{"RefinedWeb", "RefinedWebModel"});
}

TEST_CASE("type and class must match", "[registry]") {
  CHECK(chosen("llama", "LlamaModel") == "llama/LlamaModel");
  const Error error = refusal("llama", "BertModel");
  CHECK(error.code == ErrorCode::unknown_architecture);
  CHECK(error.field == "architectures");
  CHECK(error.nearest.at(0) == "LlamaForCausalLM");
}

TEST_CASE("the class decides if no type has that name, if it is publisher's code, or if it is listed under a neighbouring type",
          "[registry]") {
  CHECK(chosen("gpt2-ja", "GPT2LMHeadModel") == "gpt2/GPT2LMHeadModel");
  CHECK(choose("gpt2-ja", "GPT2LMHeadModel").by_class);
  CHECK(chosen("llava", "LlavaLlamaForCausalLM") == "llava_llama/LlavaLlamaForCausalLM");
  CHECK(chosen("gemma3", "Gemma3ForCausalLM") == "gemma3_text/Gemma3ForCausalLM");
  CHECK_FALSE(choose("gemma3", "Gemma3Model").by_class);
  const Error other = refusal("mixtral", "LlamaForCausalLM");
  CHECK(other.code == ErrorCode::unknown_architecture);
  CHECK(other.message.ends_with("or llama. If you mean this class, set model_type accordingly."));
}

TEST_CASE("for some uncounted types the refusal names the publisher", "[registry]") {
  const Error error = refusal("molmo", "MolmoForCausalLM");
  CHECK(error.code == ErrorCode::unknown_architecture);
  CHECK(error.message.find("published by the Allen Institute for AI") != std::string::npos);
  CHECK(error.nearest.empty());
}

TEST_CASE("the case of a class name is ignored", "[registry]") {
  CHECK(chosen("phimoe", "PhiMoEForCausalLM") == "phimoe/PhimoeForCausalLM");
  CHECK(chosen("", "MistralForCausallm") == "mistral/MistralForCausalLM");
}

TEST_CASE("an unknown name gives suggestions for likely typos", "[registry]") {
  const Error type = refusal("QWEN3-MOE", "");
  CHECK(type.code == ErrorCode::unknown_architecture);
  CHECK(type.field == "model_type");
  CHECK(type.nearest == std::vector<std::string>{"qwen3_moe"});
  CHECK(refusal("lama", "").nearest == std::vector<std::string>{"llama"});
  CHECK(refusal("mistrall", "").nearest == std::vector<std::string>{"mistral"});
  const Error architecture = refusal("", "GPT2LMHeadmodels");
  CHECK(architecture.field == "architectures");
  CHECK(architecture.nearest == std::vector<std::string>{"GPT2LMHeadModel"});
  CHECK(refusal(std::string(1'000'000, 'x'), "").message.size() < 500);
}

TEST_CASE("a different number or word is not a typo", "[registry]") {
  for (const char* name : {"gemma7", "qwen9", "llama22", "no_such_model", "mamba3"}) {
    CAPTURE(name);
    CHECK(refusal(name, "").nearest.empty());
  }
}

}  // namespace param_ledger::test
