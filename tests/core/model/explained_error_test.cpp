#include "core/model/explained_error.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

std::string refusal(const std::string& config) {
  const Json answer = answer_to(config);
  return answer.at("ok") == true ? "counted" : answer.at("error").at("message").get<std::string>();
}

}  // namespace

TEST_CASE("an error says that the field it names has its default", "[model]") {
  CHECK(refusal(R"({"model_type":"gpt2","n_head":20,"hidden_dim":1280})") ==
        "n_embd (768 by default) must be a multiple of n_head (20). Not read here: hidden_dim (1,280).");
  CHECK(refusal(R"({"model_type":"gpt2","n_embd":770,"n_head":20})") == "n_embd (770) must be a multiple of n_head (20).");
  CHECK(refusal(R"({"model_type":"prophetnet","architectures":["ProphetNetForCausalLM"],"hidden_size":1028})").find("by default") !=
        std::string::npos);
  CHECK(refusal(R"({"model_type":"gpt_neo","num_layers":12})") ==
        "attention_types is missing, and its default is for 24 layers: num_layers is 12.");
}

TEST_CASE("a file other than config.json is recognised", "[model]") {
  const auto says = [](const std::string& config, std::string_view part) { return refusal(config).find(part) != std::string::npos; };
  CHECK(says(R"({"peft_type":"LORA","r":8,"base_model_name_or_path":"a/b"})", "Give the base model's config.json instead"));
  CHECK(says(R"({"_class_name":"FluxPipeline","_diffusers_version":"0.30.0"})", "diffusers"));
  CHECK(says(R"({"bos_token_id":1,"eos_token_id":2,"do_sample":true})", "generation_config.json"));
  CHECK(says(R"({"temperature":0.6,"max_new_tokens":512})", "generation_config.json"));
  CHECK(says(R"({"metadata":{"total_size":1},"weight_map":{}})", "shards"));
  CHECK(says(R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"NVFP4"}})", "hf_quant_config.json"));
  CHECK_FALSE(says(R"({"hidden_size":64,"eos_token_id":2})", "This is"));
}

TEST_CASE("an error names the type that has the class", "[model]") {
  CHECK(refusal(R"({"model_type":"phi4","architectures":["Phi3ForCausalLM"]})") ==
        "model_type \"phi4\" is not a model that can be counted here. Phi3ForCausalLM is a class of phi3. If you mean this class, set "
        "model_type accordingly.");
  CHECK(refusal(R"({"model_type":"llama","architectures":["MistralForCausalLM"]})").find("MistralForCausalLM is a class of mistral") !=
        std::string::npos);
}

}  // namespace param_ledger::test
