#include "core/devices/plan.hpp"
#include "core/registry/registry.hpp"
#include "tests/support/asked_devices.hpp"

// Tests what each device holds under transformers' parallelism plans. The expected values come from transformers' own functions
// (tests/data/shards.py) and from calculations by hand.

using namespace param_ledger;
using namespace param_ledger::test;

namespace {

std::string parameters(const std::string& config, const std::string& options) {
  return asked(config, options).at("ranks").at(0).at("parameters").get<std::string>();
}

}  // namespace

TEST_CASE("devices hold what transformers leaves on them, tensor by tensor") { compare_lines("shards.jsonl.gz", 456, 51); }

TEST_CASE("for every type with a plan, the devices together hold the model") {
  // The answer is an internal error if the devices' shares of a tensor do not add up to the tensor.
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
  // With latent attention every device caches the whole latent and the whole rotary part of the key.
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
  // Q6_K stores 256 weights in 210 bytes. The 65 norms of 4,096 are stored in 32 bits.
  CHECK(bytes(llama_8b, "\"tensor\":8,\"weights\":\"Q6_K\"") == std::to_string((1004015616ULL - 65 * 4096) / 256 * 210 + 65 * 4096 * 4));
  // An eighth of 14,336 inputs is 1,792, or 7 blocks of 256. A sixteenth is 3.5 blocks.
  CHECK(bytes(llama_8b, "\"tensor\":16,\"weights\":\"Q6_K\"").find("cannot be divided evenly among 16 devices") != std::string::npos);
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
            .find("3 stages do not divide 32 layers: the last stage has 12, and each of the others has 10. The nearest numbers that do: 2 "
                  "and 4.") != std::string::npos);
  CHECK(warnings(mixtral, "\"expert\":4").find("fsdp_size = 4") != std::string::npos);
  CHECK(warnings(mixtral, "\"tensor\":4,\"expert\":4,\"pipeline\":2").find("does not support expert and pipeline parallelism together") !=
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
        "plan: \"deepspeed\" is not a known plan; the plans are transformers, megatron and vllm.");
  CHECK(refusal(llama_8b, "\"tensor\":8,\"expert\":8") ==
        "expert: transformers has no plan of expert parallelism for LlamaForCausalLM (llama), so expert must be 1.");
  CHECK(refusal(R"({"model_type":"bert"})", "\"tensor\":2").find("tensor: transformers has no plan of tensor parallelism for Bert") == 0);
  CHECK(refusal(R"({"model_type":"bert"})", "\"pipeline\":2").find("pipeline: ") == 0);
  // transformers looks for the layers in the module below the head. In this model they are in a text model next to a vision tower.
  CHECK(refusal(R"({"model_type":"ernie4_5_vl_moe"})", "\"pipeline\":2").find("pipeline: transformers cannot divide Ernie4_5_VLMoe") == 0);
  CHECK(refusal(mixtral, "\"tensor\":4,\"expert\":6").find("The nearest multiples: 4 and 8.") != std::string::npos);
  CHECK(refusal(mixtral, "\"tensor\":3,\"expert\":3").find("that number is 8, and expert is 3. The nearest numbers that do: 2 and 4.") !=
        std::string::npos);
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
  // 1,004,015,616 parameters and 32 · 2 · 1 · 128 · 8 cached values, two bytes each.
  CHECK(rank("2008162304").at("left").at("bytes") == "0");
  CHECK(rank("2008162303").at("missing").at("bytes") == "1");
  CHECK(rank("2008162303").at("fits") == false);
}

TEST_CASE("nested models without a matched plan are refused") {
  for (const char* const type : {"t5gemma", "pi0", "muse_spark", "mistral_large4_text"})
    CHECK(refusal(std::string("{\"model_type\":\"") + type + "\"}", "\"tensor\":2").find("has not been matched") != std::string::npos);
}
