#include "tests/support/asked_devices.hpp"

// Tests what each device holds under the plans of Megatron-Core (tests/data/megatron_shards.py) and vLLM.

using namespace param_ledger::test;

TEST_CASE("ranks of Megatron-Core hold what its own model holds, tensor by tensor") { compare_lines("megatron_shards.jsonl.gz", 547, 119); }

TEST_CASE("Megatron-Core and vLLM pad the vocabulary, and the devices hold the model and the padding") {
  const Answer megatron = asked(llama_8b, "\"plan\":\"megatron\",\"tensor\":8");
  CHECK(megatron.at("ranks").at(0).at("parameters") == "1004802048");
  CHECK(megatron.at("rows").at(0).at("padded") == "129024");
  // The padding is 768 rows of 4,096 in the embedding table, and as many in the head.
  CHECK(megatron.at("sum").at("padding") == std::to_string(2 * 768 * 4096));
  // 128,256 is a multiple of 64, so vLLM does not pad it.
  CHECK(!asked(llama_8b, "\"plan\":\"vllm\",\"tensor\":8").at("sum").contains("padding"));
  for (const char* const plan : {"megatron", "vllm"})
    for (const std::string& config :
         {llama_8b, deepseek, mixtral, std::string(R"({"model_type":"qwen3_moe","num_key_value_heads":4,"vocab_size":50257})")})
      for (const char* const t : {"1", "2", "4", "16"})
        for (const char* const p : {"1", "2", "4"}) {
          const Answer answer = asked(config, std::string("\"plan\":\"") + plan + "\",\"tensor\":" + t + ",\"pipeline\":" + p);
          if (!answer.at("ok").get<bool>()) {
            CHECK(answer.at("error").at("code") != "internal");
            continue;
          }
          const Answer& sum = answer.at("sum");
          CHECK(number_of(sum.at("ranks").get<std::string>()) == number_of(answer.at("total").get<std::string>()) +
                                                                     number_of(sum.at("replicas").get<std::string>()) +
                                                                     number_of(sum.value("padding", "0")));
        }
}

TEST_CASE("vLLM repeats key-value heads if there are fewer heads than devices") {
  const Answer answer = asked(llama_8b, "\"plan\":\"vllm\",\"tensor\":16,\"tokens\":1000");
  for (const Answer& row : answer.at("rows")) {
    if (row.at("name") != "model.layers.[0-31].self_attn.k_proj.weight") continue;
    CHECK(row.at("parts") == "8");
    CHECK(row.at("copies") == "2");
    CHECK(row.at("style") == "colwise_repeated");
    CHECK(row.at("holder") == "model.layers.*.self_attn.qkv_proj.weight");
    CHECK(row.at("why") == "There are 8 key-value heads for 16 devices. Each device holds one head, and each head is on 2 devices.");
  }
  // One key head and one value head of 128 in 32 layers.
  CHECK(answer.at("ranks").at(0).at("cache").at("total").at("bytes") == std::to_string(2 * 128 * 32 * 2 * 1000));
  // Two matrices of 4,096 · 4,096, the feed-forward block and both tables are divided by 16. A device has one whole key-value head and
  // whole norms.
  const std::uint64_t layer = 2 * 4096 * 4096 / 16 + 2 * 128 * 4096 + 3 * 14336 * 4096 / 16 + 2 * 4096;
  CHECK(answer.at("ranks").at(0).at("parameters") == std::to_string(32 * layer + 4096 + 2 * 128256 * 4096 / 16));
}

TEST_CASE("bytes on a device are those in vLLM's issues") {
  const auto loaded = [](const std::string& config, const std::string& options) {
    return asked(config, "\"plan\":\"vllm\"," + options).at("ranks").at(0).at("weights").at("loaded").at("bytes").get<std::string>();
  };
  // vllm#13061: half of the weights of Qwen2.5 14B is 13.7557 GiB. A device holds that and the other half of the norms.
  const std::string qwen =
      R"({"model_type":"qwen2","vocab_size":152064,"hidden_size":5120,"intermediate_size":13824,"num_hidden_layers":48,)"
      R"("num_attention_heads":40,"num_key_value_heads":8,"tie_word_embeddings":false,"dtype":"bfloat16"})";
  const Answer answer = asked(qwen, "\"plan\":\"vllm\",\"tensor\":2");
  CHECK(answer.at("total") == "14770033664");  // at two bytes each, half of them take 13.7557 GiB
  CHECK(answer.at("ranks").at(0).at("parameters") == std::to_string((14770033664 - 97 * 5120) / 2 + 97 * 5120));
  CHECK(loaded(qwen, "\"tensor\":2") == "14770530304");
  // vllm#10511: Llama 3 8B takes 14.96 GiB on one device and 7.48 GiB on each of two.
  CHECK(loaded(llama_8b, "\"tensor\":1") == "16060522496");  // 14.958 GiB
  CHECK(loaded(llama_8b, "\"tensor\":2") == "8030527488");   // 7.479 GiB
  // vllm#15607: DeepSeek-V2-Lite takes 7.3858 GiB on each of four devices. We count 7.3633 GiB of weights, with whole latent projections on
  // each device, and not the rotary table of 163,840 · 64 values, which takes 0.0195 GiB. If latent projections were split, it would be
  // 0.0445 GiB less.
  const std::string lite =
      R"({"model_type":"deepseek_v2","vocab_size":102400,"hidden_size":2048,"intermediate_size":10944,"moe_intermediate_size":1408,)"
      R"("num_hidden_layers":27,"num_attention_heads":16,"num_key_value_heads":16,"n_shared_experts":2,"n_routed_experts":64,)"
      R"("num_experts_per_tok":6,"kv_lora_rank":512,"q_lora_rank":null,"qk_rope_head_dim":64,"qk_nope_head_dim":128,"v_head_dim":128,)"
      R"("first_k_dense_replace":1,"dtype":"bfloat16"})";
  CHECK(loaded(lite, "\"tensor\":4") == std::to_string(2 * 3953159680));
}

TEST_CASE("vLLM pads the vocabulary to a multiple of 64 before it divides it, as its issues show") {
  // vllm#12170: with 32,008 tokens, each of two devices holds 16,032 rows, not 16,004.
  const std::string granite = R"({"model_type":"llama","vocab_size":32008})";
  const Answer answer = asked(granite, "\"plan\":\"vllm\",\"tensor\":2");
  CHECK(answer.at("rows").at(0).at("padded") == "32064");
  CHECK(answer.at("ranks").at(0).at("rows").at(0).at(2) == Answer::parse("[16032,4096]"));
  // vllm#31474: 151,552 tokens are a multiple of 64, but cannot be divided among 6 devices.
  CHECK(refusal(R"({"model_type":"llama","vocab_size":151552,"num_attention_heads":96,"num_key_value_heads":6,"hidden_size":6144})",
                "\"plan\":\"vllm\",\"tensor\":6")
            .find("151,552") != std::string::npos);
}

TEST_CASE("vLLM gives each device of expert parallelism consecutive experts") {
  // QwenLM/Qwen3-VL#1520: the second of four devices holds experts 32 to 63 of 128.
  const std::string qwen = R"({"model_type":"qwen3_moe","num_experts":128,"num_hidden_layers":2})";
  const Answer answer = asked(qwen, R"("plan":"vllm","tensor":4,"expert":4,"rank":1)");
  std::size_t found = 0;
  for (const Answer& row : answer.at("ranks").at(0).at("rows"))
    found += row.at(1).get<std::string>().find("experts.[32-63].") != std::string::npos;
  CHECK(found == 3);
}

namespace {

/// The layers of each stage under vLLM's plan, as index ranges in tensor names.
std::vector<std::string> layers_of_stages(const std::string& config, int stages) {
  std::vector<std::string> out;
  for (int rank = 0; rank < stages; ++rank) {
    const Answer answer = asked(config, R"("plan":"vllm","pipeline":)" + std::to_string(stages) + ",\"rank\":" + std::to_string(rank));
    for (const Answer& row : answer.at("ranks").at(0).at("rows")) {
      const std::string name = row.at(1).get<std::string>();
      const std::size_t begin = name.find("layers.") + 7, end = name.find(".self_attn.o_proj.weight");
      if (end != std::string::npos) out.push_back(name.substr(begin, end - begin));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("vLLM gives layers that are left over to the last stages before the last") {
  // The expected values are those in vLLM's own tests/distributed/test_pipeline_partition.py.
  const auto layers = [](int n, int stages) {
    return layers_of_stages(R"({"model_type":"llama","num_hidden_layers":)" + std::to_string(n) + "}", stages);
  };
  CHECK(layers(3, 2) == std::vector<std::string>{"[0-1]", "2"});
  CHECK(layers(4, 3) == std::vector<std::string>{"0", "[1-2]", "3"});
  CHECK(layers(5, 3) == std::vector<std::string>{"[0-1]", "[2-3]", "4"});
  // The 61 layers are divided into 15, 15, 16 and 15.
  CHECK(layers_of_stages(deepseek, 4) == std::vector<std::string>{"[0-14]", "[15-29]", "[30-45]", "[46-60]"});
}

TEST_CASE("two classes of vLLM create their ends on every stage") {
  const auto copies = [](const std::string& config) {
    const Answer answer = asked(config, "\"plan\":\"vllm\",\"pipeline\":2");
    return answer.at("rows").at(0).at("copies").get<std::string>();
  };
  CHECK(copies(llama_8b) == "1");
  CHECK(copies(mixtral) == "2");
}

TEST_CASE("what Megatron-Core or vLLM refuses, and types without a plan, are refused by name") {
  const auto megatron = [](const std::string& config, const std::string& options) {
    return refusal(config, "\"plan\":\"megatron\"," + options);
  };
  CHECK(megatron(deepseek, "\"pipeline\":2") ==
        "pipeline: 2 stages do not divide 61 layers, as Megatron-Core requires. The nearest numbers that do: 1 and 61.");
  CHECK(megatron(llama_8b, "\"tensor\":3").find("tensor: 3 devices do not divide num_attention_heads = 32, as Megatron-Core requires.") ==
        0);
  CHECK(megatron(llama_8b, "\"tensor\":8,\"expert\":8") ==
        "expert: Megatron-Core has no plan of expert parallelism for LlamaForCausalLM (llama), so expert must be 1.");
  CHECK(megatron(R"({"model_type":"gemma2"})", "\"tensor\":2")
            .find("plan: How Megatron-Core divides Gemma2ForCausalLM (gemma2) is not known") == 0);
  CHECK(megatron(R"({"model_type":"llama","attention_bias":true})", "\"tensor\":2")
            .find("plan: How Megatron-Core divides LlamaForCausalLM (llama) with model.layers.[0-31].self_attn.") == 0);
  CHECK(refusal(llama_8b, R"("plan":"vllm","pipeline":64)").find("pipeline: There are 32 layers for 64 stages.") == 0);
  CHECK(refusal(llama_8b, "\"plan\":\"vllm\",\"training\":{}").find("training: vLLM does not train.") == 0);
  CHECK(refusal(llama_8b, "\"tensor\":2,\"sequence\":true").find("sequence: ") == 0);
  CHECK(refusal(llama_8b, "\"data\":2").find("data: ") == 0);
  CHECK(refusal(llama_8b, "\"training\":{\"lora\":{\"r\":8}}").find("lora: ") == 0);
}
