// Types that transformers does not know: their tensors by hand, from the code published beside the weights.

#include "tests/support/oracle.hpp"

namespace param_ledger::test {

TEST_CASE("types with their own code are counted tensor by tensor", "[families]") {
  const std::vector<Case> cases = cases_of(text_of("own_code.jsonl"));
  REQUIRE(cases.size() >= 10);
  for (const Case& wanted : cases) {
    CAPTURE(wanted.id, wanted.config);
    const Json answer = answer_to(wanted.config);
    CHECK(total(answer) == wanted.parameters);
    if (answer.at("ok").get<bool>()) CHECK(differences(wanted.tensors, tensors_of(answer)).empty());
  }
}

// 770,430,041 elements are in the files of microsoft/Florence-2-large-ft: positions of frames and a bias that is always 0 beside the
// parameters. transformers, which does not know dim_embed, builds the 498,809,856 of another size.
TEST_CASE("Florence-2 is counted by the field names that it was published with", "[families]") {
  const std::string published = R"({"model_type": "florence2", "architectures": ["Florence2ForConditionalGeneration"],
    "text_config": {"vocab_size": 51289, "d_model": 1024}, "vision_config": {"model_type": "davit", "dim_embed": [256, 512, 1024, 2048],
    "num_heads": [8, 16, 32, 64], "num_groups": [8, 16, 32, 64], "projection_dim": 1024,
    "visual_temporal_embedding": {"type": "COSINE", "max_temporal_embeddings": 100},
    "image_pos_embed": {"type": "learned_abs_2d", "max_pos_embeddings": 50}}})";
  const Json answer = answer_to(published);
  CHECK(total(answer, "published") == "770430041");
  CHECK(total(answer) == "770173952");
  CHECK(total(answer, "buffers") == "204800");
}

TEST_CASE("variants that this code builds differently are refused", "[families]") {
  CHECK(parameters("qwen", {{"visual", "{}"}}) == "unsupported");
  CHECK(parameters("qwen", {{"n_embd", "4096"}}) == "unsupported");
  CHECK(parameters("qwen", {{"kv_channels", "64"}}) == "inconsistent");
  CHECK(parameters("baichuan", {{"architectures", R"(["BaichuanForCausalLM"])"}}) == "missing_field");
  CHECK(parameters("chatglm", {{"inner_hidden_size", "16384"}}) == "unsupported");
  CHECK(parameters("chatglm", {{"vision_config", "{}"}}) == "unsupported");
  CHECK(parameters("chatglm", {{"pre_seq_len", "128"}}) == "unsupported");
  CHECK(parameters("chatglm", {{"pre_seq_len", "null"}}) == "7124258816");
  CHECK(parameters("phi-msft", {{"n_head", "16"}, {"n_head_kv", "5"}}) == "not_divisible");
  CHECK(parameters("phi3small", {{"ff_dim_multiplier", "4"}}) == "unsupported");
  CHECK(parameters("internlm", {{"num_key_value_heads", "8"}}) == "inconsistent");
  CHECK(parameters("internlm2", {{"head_dim", "64"}}) == "inconsistent");
  CHECK(parameters("exaone", {{"head_dim", "128"}}) == "inconsistent");
  CHECK(parameters("orion", {}) == "inconsistent");  // its defaults do not fit each other
  CHECK(parameters("xverse", {{"num_key_value_heads", "8"}}) == "inconsistent");
  CHECK(parameters("minicpm", {{"num_experts", "8"}}) == "unsupported");
}

}  // namespace param_ledger::test
