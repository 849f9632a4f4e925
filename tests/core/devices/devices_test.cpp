#include "tests/support/devices.hpp"

#include "core/devices/plan.hpp"
#include "core/registry/registry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/evaluator.hpp"

// What devices hold, compared with transformers' own functions (tests/data/shards.py) and with derivations by hand.

namespace {

using namespace param_ledger;
using namespace param_ledger::test;
using Answer = nlohmann::ordered_json;

Answer asked(const std::string& config, const std::string& options) { return parsed(devices(config, "{" + options + "}")); }

std::string refusal(const std::string& config, const std::string& options) {
  const Answer answer = asked(config, options);
  return answer.at("ok").get<bool>()
             ? ""
             : answer.at("error").at("field").get<std::string>() + ": " + answer.at("error").at("message").get<std::string>();
}

std::string parameters(const std::string& config, const std::string& options) {
  return asked(config, options).at("ranks").at(0).at("parameters").get<std::string>();
}

const std::string llama_8b =
    R"({"model_type":"llama","vocab_size":128256,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,)"
    R"("num_attention_heads":32,"num_key_value_heads":8,"dtype":"bfloat16"})";
const std::string deepseek = R"({"model_type":"deepseek_v3","dtype":"bfloat16"})";
const std::string mixtral = R"({"model_type":"mixtral","num_hidden_layers":4})";

/// Compares every line of a file of recorded plans, and counts those that both sides refuse.
void compare_lines(const char* file, std::size_t expected_cases, std::size_t expected_refusals) {
  const std::string text = text_of(file);
  std::size_t cases = 0, refusals = 0;
  for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    const std::string line = text.substr(start, end - start);
    bool refused = false;
    INFO(line.substr(0, 200));
    CHECK(compare_devices(line, &refused) == "");
    ++cases;
    refusals += refused;
  }
  CHECK(cases == expected_cases);
  CHECK(refusals == expected_refusals);
}

}  // namespace

TEST_CASE("devices hold what transformers leaves on them, tensor by tensor") { compare_lines("shards.jsonl.gz", 450, 51); }

TEST_CASE("for every type with a plan, the devices together hold the model") {
  // The answer is an internal error if the shares of a row do not add up to it.
  std::size_t answered = 0;
  for (const Family* const family : families()) {
    const Plan* const plan = plan_of(family->model_type);
    if (plan == nullptr) continue;
    const std::string config = "{\"model_type\":\"" + std::string(family->model_type) + "\"}";
    for (const char* const t : {"2", "4", "8"})
      for (const char* const p : {"1", "2", "4"})
        for (const char* const e : {"1", "8"}) {
          const Answer answer = asked(config, std::string("\"tensor\":") + t + ",\"pipeline\":" + p + ",\"expert\":" + e);
          INFO(family->model_type.c_str() << " " << t << " x " << p << " x " << e);
          if (answer.at("ok").get<bool>()) {
            ++answered;
            CHECK(number_of(answer.at("sum").at("ranks").get<std::string>()) ==
                  number_of(answer.at("total").get<std::string>()) + number_of(answer.at("sum").at("replicas").get<std::string>()));
          } else {
            CHECK(answer.at("error").at("code") != "internal");
          }
        }
  }
  CHECK(answered > 1000);
}

TEST_CASE("a device holds an eighth of Llama, but 12 % more than that of DeepSeek-V3") {
  CHECK(parameters(llama_8b, "\"tensor\":8") == "1004015616");
  const Answer answer = asked(deepseek, "\"tensor\":8");
  CHECK(answer.at("ranks").at(0).at("parameters") == "93959052288");
  CHECK(answer.at("over").at("percent") == "12.0");
  CHECK(answer.at("replicated").at(0).at("part") == "attention");
}

TEST_CASE("a device caches its own heads and layers") {
  const auto cache = [](const std::string& config, const std::string& options) {
    const Answer its = asked(config, options).at("ranks").at(0).at("cache");
    return its.at("known").get<bool>() ? its.at("total").at("bytes").get<std::string>() : its.at("reason").get<std::string>();
  };
  // Keys and values of 8 heads of 128 in 32 layers, 2 bytes each.
  CHECK(cache(llama_8b, "\"tokens\":1000") == std::to_string(2 * 8 * 128 * 32 * 2 * 1000));
  CHECK(cache(llama_8b, "\"tokens\":1000,\"tensor\":4,\"pipeline\":2") == std::to_string(2 * 2 * 128 * 16 * 2 * 1000));
  // Every device holds the whole latent and rotary part.
  CHECK(cache(deepseek, "\"tokens\":1000,\"tensor\":8") == std::to_string((512 + 64) * 61 * 2 * 1000));
  CHECK(cache(llama_8b, "\"tensor\":16").find("16 devices do not divide the 8 key-value heads") != std::string::npos);
}

TEST_CASE("the bytes of a share are those of its tensors, or unknown if blocks of the format are cut") {
  const auto bytes = [](const std::string& config, const std::string& options) {
    const Answer its = asked(config, options).at("ranks").at(0).at("weights");
    return its.at("known").get<bool>() ? its.at("loaded").at("bytes").get<std::string>() : its.at("reason").get<std::string>();
  };
  CHECK(bytes(llama_8b, "\"tensor\":8") == std::to_string(1004015616ULL * 2));
  CHECK(bytes(llama_8b, "\"tensor\":8,\"weights\":\"float32\"") == std::to_string(1004015616ULL * 4));
  // 210 bytes hold 256 numbers; norms, 65 of 4,096, have 32 bits.
  CHECK(bytes(llama_8b, "\"tensor\":8,\"weights\":\"Q6_K\"") == std::to_string((1004015616ULL - 65 * 4096) / 256 * 210 + 65 * 4096 * 4));
  // An eighth of 14,336 inputs is 1,792 = 7 · 256; a sixteenth is 3.5 blocks.
  CHECK(bytes(llama_8b, "\"tensor\":16,\"weights\":\"Q6_K\"").find("do not divide among 16 devices") != std::string::npos);
}

TEST_CASE("devices with equal contents are one kind, whatever their number") {
  const Answer few = asked(llama_8b, "\"tensor\":8"), many = asked(llama_8b, "\"tensor\":256,\"pipeline\":4");
  CHECK(few.at("ranks").size() == 1);
  CHECK(many.at("ranks").size() == 3);
  CHECK(many.at("ranks").at(1).at("ranks") == Answer::parse("[[256,767]]"));
  // The first three layers are dense, and the last stage has 16 of 61 layers.
  const Answer staged = asked(deepseek, "\"pipeline\":16");
  REQUIRE(staged.at("ranks").size() == 3);
  CHECK(staged.at("ranks").at(1).at("stages") == Answer::parse("[[1,14]]"));
  CHECK(staged.at("heaviest") == 2);
}

TEST_CASE("a rank has the names of its layers and experts") {
  const Answer answer = asked(mixtral, "\"tensor\":2,\"pipeline\":2,\"expert\":4,\"rank\":6");
  CHECK(answer.at("ranks").size() == 1);
  bool found = false;
  for (const Answer& row : answer.at("ranks").at(0).at("rows"))
    found = found || row.at(1) == "model.layers.[2-3].block_sparse_moe.experts.[4-5].w1.weight";
  CHECK(found);
  CHECK_FALSE(answer.contains("sum"));
}

TEST_CASE("a plan that transformers cannot run, or that cuts blocks, gives a warning") {
  const auto warnings = [](const std::string& config, const std::string& options) {
    std::string out;
    const Answer answer = asked(config, options);
    for (const Answer& note : answer.at("notes"))
      if (note.at("level") == "warning") out += note.value("field", "") + ": " + note.at("message").get<std::string>() + "\n";
    return out;
  };
  CHECK(warnings(llama_8b, "\"tensor\":8,\"pipeline\":2") == "");
  CHECK(warnings(llama_8b, "\"tensor\":16").find("num_key_value_heads: 16 devices do not divide num_key_value_heads = 8") == 0);
  CHECK(warnings(llama_8b, "\"pipeline\":3")
            .find("3 stages do not divide 32 layers: each has 10, the last 12. The nearest numbers that do: 2 and 4.") !=
        std::string::npos);
  CHECK(warnings(mixtral, "\"expert\":4").find("fsdp_size = 4") != std::string::npos);
  CHECK(warnings(mixtral, "\"tensor\":4,\"expert\":4,\"pipeline\":2").find("does not run expert parallelism and a pipeline together") !=
        std::string::npos);
}

TEST_CASE("invalid sizes are refused with valid ones") {
  CHECK(refusal(llama_8b, "\"tensor\":0").find("tensor: tensor must be a whole number from 1 to") == 0);
  CHECK(refusal(llama_8b, "\"tensor\":-2").find("tensor: ") == 0);
  CHECK(refusal(llama_8b, "\"tensor\":2.5").find("tensor: ") == 0);
  CHECK(refusal(llama_8b, "\"tensor\":1000000000").find("tensor: ") == 0);
  CHECK(refusal(llama_8b, "\"tensor\":60000,\"pipeline\":60000").find("pipeline: ") == 0);
  CHECK(refusal(llama_8b, "\"tensor\":8,\"rank\":8") == "rank: rank must be a whole number from 0 to 7, as there are 8 devices.");
  CHECK(refusal(llama_8b, "\"plan\":\"deepspeed\"") ==
        "plan: \"deepspeed\" is not a plan that is known here: transformers, megatron, vllm.");
  CHECK(refusal(llama_8b, "\"tensor\":8,\"expert\":8") ==
        "expert: transformers has no plan of expert parallelism for LlamaForCausalLM (llama): expert must be 1.");
  CHECK(refusal(R"({"model_type":"bert"})", "\"tensor\":2").find("tensor: transformers has no plan of tensor parallelism for Bert") == 0);
  CHECK(refusal(R"({"model_type":"bert"})", "\"pipeline\":2").find("pipeline: ") == 0);
  CHECK(refusal(mixtral, "\"tensor\":4,\"expert\":6").find("The nearest that are: 4 and 8.") != std::string::npos);
  CHECK(refusal(mixtral, "\"tensor\":3,\"expert\":3").find("there are 8, expert is 3. The nearest that do: 2 and 4.") != std::string::npos);
}

TEST_CASE("the heaviest device is derived step by step") {
  const Answer answer = asked(deepseek, "\"tensor\":8,\"steps\":true");
  std::map<std::string, std::string> values;
  for (const Answer& step : answer.at("steps")) values[step.at("name").get<std::string>()] = step.at("value").get<std::string>();
  CHECK(values.at("device") == "93959052288");
  CHECK(values.at("share") == "83878300544");
  CHECK(values.at("beyond") == "10080751744");
  CHECK(values.at("ffn_device") == "82206523392");
  CHECK(!asked(deepseek, "\"tensor\":8").contains("steps"));
}

TEST_CASE("tensors that stay whole or are missing on a device are noted") {
  const auto rank = [](const char* room) {
    return asked(llama_8b, std::string("\"tensor\":8,\"tokens\":8,\"room\":") + room).at("ranks").at(0);
  };
  // 1,004,015,616 parameters and 32 · 2 · 1 · 128 · 8 numbers of cache, two bytes each
  CHECK(rank("2008162304").at("left").at("bytes") == "0");
  CHECK(rank("2008162303").at("missing").at("bytes") == "1");
  CHECK(rank("2008162303").at("fits") == false);
}

TEST_CASE("nested models without a matched plan are refused") {
  for (const char* const type : {"t5gemma", "pi0", "muse_spark", "mistral_large4_text"})
    CHECK(refusal(std::string("{\"model_type\":\"") + type + "\"}", "\"tensor\":2").find("has not been matched") != std::string::npos);
}

TEST_CASE("ranks of Megatron-Core hold what its own model holds, tensor by tensor") { compare_lines("megatron_shards.jsonl.gz", 547, 119); }

TEST_CASE("Megatron-Core and vLLM pad the vocabulary, and the devices hold the model and the padding") {
  const Answer megatron = asked(llama_8b, "\"plan\":\"megatron\",\"tensor\":8");
  CHECK(megatron.at("ranks").at(0).at("parameters") == "1004802048");
  CHECK(megatron.at("rows").at(0).at("padded") == "129024");
  // 768 rows of 4,096 in the embedding table, and in the head.
  CHECK(megatron.at("sum").at("padding") == std::to_string(2 * 768 * 4096));
  // 128,256 is a multiple of 64.
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
    CHECK(row.at("why") == "There are 8 key-value heads for 16 devices: each holds one of them, and 2 hold the same.");
  }
  // One key head and one value head of 128 in 32 layers.
  CHECK(answer.at("ranks").at(0).at("cache").at("total").at("bytes") == std::to_string(2 * 128 * 32 * 2 * 1000));
  // 4,096 · 4,096 twice and the feed-forward block divided by 16, a whole key-value head, whole norms, both tables divided by 16.
  const std::uint64_t layer = 2 * 4096 * 4096 / 16 + 2 * 128 * 4096 + 3 * 14336 * 4096 / 16 + 2 * 4096;
  CHECK(answer.at("ranks").at(0).at("parameters") == std::to_string(32 * layer + 4096 + 2 * 128256 * 4096 / 16));
}

TEST_CASE("bytes on a device are those in vLLM's issues") {
  // vllm#13061: half of the weights of Qwen2.5 14B are 13.7557 GiB. A device holds that, and the other half of the norms.
  const std::string qwen =
      R"({"model_type":"qwen2","vocab_size":152064,"hidden_size":5120,"intermediate_size":13824,"num_hidden_layers":48,)"
      R"("num_attention_heads":40,"num_key_value_heads":8,"tie_word_embeddings":false,"dtype":"bfloat16"})";
  const Answer answer = asked(qwen, "\"plan\":\"vllm\",\"tensor\":2");
  CHECK(answer.at("total") == "14770033664");  // two bytes each, then half: 13.7557 GiB
  CHECK(answer.at("ranks").at(0).at("parameters") == std::to_string((14770033664 - 97 * 5120) / 2 + 97 * 5120));
  CHECK(answer.at("ranks").at(0).at("weights").at("loaded").at("bytes") == "14770530304");
}

TEST_CASE("vLLM gives left-over layers to the last stages before the last one, and two classes build embedding and head on every stage") {
  // 61 = 15 + 15 + 16 + 15
  std::map<std::string, std::string> layers;
  for (const char* const rank : {"0", "1", "2", "3"}) {
    const Answer answer = asked(deepseek, std::string("\"plan\":\"vllm\",\"pipeline\":4,\"rank\":") + rank);
    for (const Answer& row : answer.at("ranks").at(0).at("rows"))
      if (row.at(1).get<std::string>().find("self_attn.o_proj") != std::string::npos) layers[rank] = row.at(1).get<std::string>();
  }
  CHECK(layers.at("0").find("layers.[0-14].") != std::string::npos);
  CHECK(layers.at("2").find("layers.[30-45].") != std::string::npos);
  CHECK(layers.at("3").find("layers.[46-60].") != std::string::npos);
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
        "pipeline: 2 stages do not divide 61 layers, and Megatron-Core refuses. The nearest numbers that do: 1 and 61.");
  CHECK(megatron(llama_8b, "\"tensor\":3").find("tensor: 3 devices do not divide num_attention_heads = 32, and Megatron-Core refuses.") ==
        0);
  CHECK(megatron(llama_8b, "\"tensor\":8,\"expert\":8") ==
        "expert: Megatron-Core has no plan of expert parallelism for LlamaForCausalLM (llama): expert must be 1.");
  CHECK(megatron(R"({"model_type":"gemma2"})", "\"tensor\":2")
            .find("plan: How Megatron-Core divides Gemma2ForCausalLM (gemma2) is not known") == 0);
  CHECK(megatron(R"({"model_type":"llama","attention_bias":true})", "\"tensor\":2")
            .find("plan: How Megatron-Core divides LlamaForCausalLM (llama) with model.layers.[0-31].self_attn.") == 0);
  CHECK(refusal(llama_8b, "\"plan\":\"vllm\",\"training\":{}").find("training: vLLM does not train.") == 0);
  CHECK(refusal(llama_8b, "\"tensor\":2,\"sequence\":true").find("sequence: ") == 0);
  CHECK(refusal(llama_8b, "\"data\":2").find("data: ") == 0);
  CHECK(refusal(llama_8b, "\"training\":{\"lora\":{\"r\":8}}").find("lora: ") == 0);
}

namespace {

/// What training keeps on the only kind of device, in bytes: weights, gradients, master copies, states.
std::vector<std::string> kept(const std::string& config, const std::string& options) {
  std::vector<std::string> out;
  const Answer answer = asked(config, options);
  for (const Answer& row : answer.at("ranks").at(0).at("training").at("rows")) out.push_back(row.at("each").at("bytes").get<std::string>());
  return out;
}

std::vector<std::string> bytes(std::initializer_list<std::uint64_t> counts) {
  std::vector<std::string> out;
  for (const std::uint64_t count : counts) out.push_back(std::to_string(count));
  return out;
}

/// "forward attention all_reduce 4096 x 32 among 8", one line per exchange.
std::vector<std::string> sent(const std::string& config, const std::string& options) {
  std::vector<std::string> out;
  const Answer answer = asked(config, options);
  for (const Answer& one : answer.at("sent")) {
    const auto word = [&](const char* name) { return one.at(name).get<std::string>(); };
    out.push_back(word("pass") + " " + word("place") + " " + word("collective") + " " + word("elements") + " x " + word("times") +
                  " among " + word("among"));
  }
  return out;
}

const std::string mixtral_8x7b = R"({"model_type":"mixtral"})";

}  // namespace

TEST_CASE("ZeRO divides among devices that hold the same") {
  // Llama, four copies on eight devices each: 2 + 2 bytes stay, the optimizer's 4 + 8 are divided by 4.
  const std::uint64_t n = 1004802048;
  const auto llama = [](const char* stage) {
    return kept(llama_8b, std::string("\"plan\":\"megatron\",\"tensor\":8,\"data\":4,\"training\":{\"stage\":") + stage + "}");
  };
  CHECK(llama("0") == bytes({2 * n, 2 * n, 4 * n, 8 * n}));
  CHECK(llama("1") == bytes({2 * n, 2 * n, n, 2 * n}));
  CHECK(llama("2") == bytes({2 * n, n / 2, n, 2 * n}));
  CHECK(llama("3") == bytes({n / 2, n / 2, n, 2 * n}));
  // Mixtral, two copies on eight devices each: attention is divided by 2, so 8 of 16 devices hold the same; each device has one of 8
  // experts, so 2 hold the same.
  const std::uint64_t attention = 4096 * 4096 + 1024 * 4096, tables = 32000 * 4096, norms = 65 * 4096, routers = 32 * 8 * 4096;
  const std::uint64_t dense = 32 * attention + tables + norms + routers, experts = 32ULL * 3 * 4096 * 14336;
  CHECK(kept(mixtral_8x7b, R"("plan":"megatron","tensor":2,"expert":8,"data":2,"training":{"stage":2})") ==
        bytes({2 * (dense + experts), 2 * dense / 8 + 2 * experts / 2, 4 * dense / 8 + 4 * experts / 2, 8 * dense / 8 + 8 * experts / 2}));
  // DeepSeek-V3 on 64: 8 groups hold everything but experts, and each of the 256 experts is on one device.
  const std::uint64_t routed = 58ULL * 3 * 7168 * 2048, rest = 83973684224 - 32 * routed;
  CHECK(
      kept(deepseek, R"("plan":"megatron","tensor":8,"expert":64,"training":{"stage":3})") ==
      bytes({2 * rest / 8 + 2 * 4 * routed, 2 * rest / 8 + 2 * 4 * routed, 4 * rest / 8 + 4 * 4 * routed, 8 * rest / 8 + 8 * 4 * routed}));
}

TEST_CASE("what Llama, Mixtral and DeepSeek-V3 send equals a derivation by hand") {
  // Two all-reduces of the hidden state per layer (Megatron-LM's g), and two backward (f).
  CHECK(sent(llama_8b, R"("plan":"megatron","tensor":8,"training":{})") ==
        std::vector<std::string>{"forward embedding all_reduce 4096 x 1 among 8", "backward attention all_reduce 4096 x 32 among 8",
                                 "forward attention all_reduce 4096 x 32 among 8", "backward feed_forward all_reduce 4096 x 32 among 8",
                                 "forward feed_forward all_reduce 4096 x 32 among 8", "forward output_head all_reduce 1 x 3 among 8",
                                 "backward output_head all_reduce 4096 x 1 among 8"});
  CHECK(sent(llama_8b, R"("plan":"vllm","tensor":8,"pipeline":2)") ==
        std::vector<std::string>{"forward embedding all_reduce 4096 x 1 among 8", "forward attention all_reduce 4096 x 32 among 8",
                                 "forward feed_forward all_reduce 4096 x 32 among 8", "forward output_head all_gather 128256 x 1 among 8",
                                 "forward stages send 4096 x 1 among 2"});
  // A token uses two experts, and 7 of 8 devices are remote: there and back in each of 32 layers.
  const std::vector<std::string> routed = sent(mixtral_8x7b, R"("plan":"megatron","expert":8,"training":{"stage":1},"data":2)");
  const auto has = [](const std::vector<std::string>& lines, const std::string& line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  CHECK(has(routed, "forward experts all_to_all 7168 x 64 among 8"));
  CHECK(has(routed, "backward experts all_to_all 7168 x 64 among 8"));
  CHECK(has(routed, "step dense reduce_scatter 1605636096 x 1 among 16"));
  CHECK(has(routed, "step experts all_gather 5637144576 x 1 among 2"));
  // transformers does not divide latent attention: nothing is sent for it.
  CHECK(sent(deepseek, "\"tensor\":8") ==
        std::vector<std::string>{"forward embedding all_reduce 7168 x 1 among 8", "forward feed_forward all_reduce 7168 x 3 among 8",
                                 "forward experts all_reduce 7168 x 58 among 8", "forward shared_experts all_reduce 7168 x 58 among 8",
                                 "forward output_head all_gather 129280 x 1 among 8"});
  // vLLM adds the outputs of shared and routed experts before it reduces them.
  CHECK(sent(deepseek, R"("plan":"vllm","tensor":8)") ==
        std::vector<std::string>{"forward embedding all_reduce 7168 x 1 among 8", "forward attention all_reduce 7168 x 61 among 8",
                                 "forward feed_forward all_reduce 7168 x 3 among 8", "forward experts all_reduce 7168 x 58 among 8",
                                 "forward output_head all_gather 129280 x 1 among 8"});
  // Megatron-Core gathers the latents and splits tokens between the blocks; eight experts per token, 7 of 8 remote.
  const std::vector<std::string> latent = sent(deepseek, R"("plan":"megatron","tensor":8,"expert":8)");
  CHECK(has(latent, "forward attention all_gather 7168 x 122 among 8"));
  CHECK(has(latent, "forward attention all_gather 576 x 61 among 8"));
  CHECK(has(latent, "forward attention reduce_scatter 7168 x 61 among 8"));
  CHECK(has(latent, "forward shared_experts all_gather 7168 x 58 among 8"));
  CHECK(has(latent, "forward experts all_to_all 50176 x 116 among 8"));
}

TEST_CASE("sequence parallelism replaces each all-reduce by a reduce-scatter and an all-gather") {
  const std::vector<std::string> lines = sent(llama_8b, R"("plan":"megatron","tensor":8,"sequence":true)");
  CHECK(lines ==
        std::vector<std::string>{"forward embedding reduce_scatter 4096 x 1 among 8", "forward attention all_gather 4096 x 32 among 8",
                                 "forward attention reduce_scatter 4096 x 32 among 8", "forward feed_forward all_gather 4096 x 32 among 8",
                                 "forward feed_forward reduce_scatter 4096 x 32 among 8", "forward output_head all_gather 4096 x 1 among 8",
                                 "forward output_head all_gather 129024 x 1 among 8"});
}
