#include <set>

#include "tests/support/memory_answer.hpp"

// Tests what an adapter trains, against peft.

namespace param_ledger::test {

TEST_CASE("adapters are those of peft") {
  const std::string text = text_of("lora.jsonl");
  std::size_t cases = 0;
  std::set<std::string> types;
  for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    Json lora = parsed(text.substr(start, end - start));
    INFO(lora.dump());
    const Json config = lora.at("config");
    const bool refused = lora.contains("refused");
    const std::string trained = lora.value("trained", "");
    for (const char* key : {"config", "refused", "trained"}) lora.erase(key);
    const Json training = memory_answer(config.dump(), "\"training\":{\"lora\":" + lora.dump() + "}").at("training");
    INFO(training.value("reason", ""));
    CHECK(training.at("known").get<bool>() == !refused);
    if (!refused && training.at("known").get<bool>()) CHECK(training.at("trained") == trained);
    types.insert(config.at("model_type").get<std::string>());
    ++cases;
  }
  CHECK(cases == 566);
  CHECK(types.size() == 70);
  // The reason why the trained parameters are not known; empty if they are. Either peft refuses the modules, or what it does with them is
  // not known.
  const auto reason = [](const std::string& type, const std::string& modules) {
    const Json training =
        memory_answer(R"({"model_type":")" + type + "\"}", R"("training":{"lora":{"r":8,"target_modules":)" + modules + "}}")
            .at("training");
    return training.at("known").get<bool>() ? std::string() : training.at("reason").get<std::string>();
  };
  CHECK(reason("mixtral", R"(["w1"])") == "The gate and up projections of experts are one parameter. Target both or neither.");
  CHECK(reason("gpt2", R"(["q_proj"])") == "Nothing in this model has any of these names.");
  CHECK(reason("dbrx", R"("all-linear")").starts_with("How peft adapts transformer.blocks."));
  CHECK(reason("qwen2_moe", R"(["gate"])").starts_with("How peft adapts model.layers."));
  CHECK(reason("dbrx", R"(["Wqkv"])").empty());
  const Json wrong = memory_answer(R"({"model_type":"llama"})", R"("training":{"lora":{"r":0,"target_modules":["q_proj"]}})");
  CHECK(wrong.at("error").at("field") == "r");
  // A name that matches nothing is reported in a note if other names match.
  const auto note = [](const std::string& lora) {
    return memory_answer(R"({"model_type":"mixtral"})", R"("training":{"lora":{"r":8,)" + lora + "}}").at("training").value("note", "");
  };
  CHECK(note(R"("target_modules":["q_proj"],"target_parameters":["nope"])") == "Nothing in this model is named nope.");
  CHECK(note(R"("target_modules":["q_proj","k_proj"])").empty());
  CHECK(reason("llama", R"(["mlp"])") == "target_modules names mlp, which contains other modules. peft adapts only single layers.");
  // The files of these model types fuse or rename transformers' modules. In HRM's linear layers, for example, peft trains 42,467,328
  // parameters at rank 8, more than if it adapted the matrices in the files.
  for (const std::string type : {"hrm_text", "jina_embeddings_v3", "tipsv2_text_model", "pixio", "ibert"})
    CHECK(reason(type, R"("all-linear")") == "How transformers names the modules of this model type is not known.");
}

TEST_CASE("the tensors that an adapter trains are listed") {
  const auto tensors = [](const std::string& lora) {
    return memory_answer(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":64})",
                         R"("training":{)" + lora + "}")
        .at("training")
        .at("tensors");
  };
  CHECK(tensors(R"("lora":{"r":8,"target_modules":["q_proj"]})") ==
        Json::array({{{"name", "model.layers.[0-1].self_attn.q_proj.weight"}, {"trained", std::to_string(2 * 8 * (128 + 128))}}}));
  CHECK(tensors("") == Json::array());
}

TEST_CASE("DoRA has one magnitude per output, also where the weight is stored as inputs × outputs") {
  const auto trained = [](const std::string& type, const std::string& dora) {
    return std::stoull(
        memory_answer(R"({"model_type":")" + type + R"("})", R"("training":{"lora":{"r":8,"target_modules":["c_fc"])" + dora + "}}")
            .at("training")
            .at("trained")
            .get<std::string>());
  };
  const auto magnitudes = [&](const std::string& type) { return trained(type, R"(,"use_dora":true)") - trained(type, ""); };
  CHECK(magnitudes("gpt2") == 12 * 3072);
  CHECK(magnitudes("clvp") == 30 * 4096);
  CHECK(magnitudes(R"(vision-encoder-decoder","encoder":{"model_type":"vit"},"decoder":{"model_type":"gpt2"},"x":")") == 12 * 3072);
}

TEST_CASE("a layer that two names select gets one adapter") {
  const auto trained = [](const std::string& modules) {
    return memory_answer(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":64})",
                         R"("training":{"lora":{"r":8,"target_modules":[)" + modules + "]}}")
        .at("training")
        .at("trained");
  };
  // Matrices of 128 × 128 at rank 8, in two layers or in one.
  CHECK(trained(R"("q_proj")") == std::to_string(2 * 8 * (128 + 128)));
  CHECK(trained(R"("layers.0.self_attn.q_proj")") == std::to_string(8 * (128 + 128)));
  CHECK(trained(R"("q_proj","layers.0.self_attn.q_proj")") == std::to_string(2 * 8 * (128 + 128)));
  CHECK(trained(R"("layers.0.self_attn.q_proj","layers.1.self_attn.q_proj")") == std::to_string(2 * 8 * (128 + 128)));
  CHECK(trained(R"("layers.0.self_attn.q_proj","0.self_attn.q_proj")") == std::to_string(8 * (128 + 128)));
}

TEST_CASE("an adapter that peft refuses is refused with the reason") {
  const auto reason = [](const std::string& lora) {
    const Json training =
        memory_answer(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":64})",
                      R"("training":{"lora":{)" + lora + "}}")
            .at("training");
    return training.at("known").get<bool>() ? std::string() : training.at("reason").get<std::string>();
  };
  CHECK(reason(R"("r":8,"target_modules":["q_proj"],"use_dora":true)").empty());
  CHECK(reason(R"("r":8,"target_modules":[],"target_parameters":["q_proj.weight"],"use_dora":true)") ==
        "With use_dora, peft cannot adapt target_parameters.");
  CHECK(reason(R"("r":8,"target_modules":[],"target_parameters":["norm.weight"])") ==
        "peft adapts only parameters of 2 or 3 dimensions, unlike model.norm.weight.");
  CHECK(reason(R"("r":8,"target_modules":["q_proj"],"target_parameters":["q_proj.weight"])") ==
        "peft adapts model.layers.[0-1].self_attn.q_proj.weight by its module or as a parameter, but not both.");
  CHECK(reason(R"("r":8,"target_modules":["norm"])") ==
        "peft cannot adapt model.norm, which is neither a linear layer nor an embedding table.");
  CHECK(reason(R"("r":8,"target_modules":["layers.5.self_attn.q_proj"])") == "Nothing in this model has any of these names.");
  const auto field = [](const std::string& lora) {
    return memory_answer(R"({"model_type":"llama"})", R"("training":{"lora":{)" + lora + "}}").at("error").at("field").get<std::string>();
  };
  CHECK(field(R"("r":1048577,"target_modules":["q_proj"])") == "r");  // the limit is 2^20
  CHECK(reason(R"("r":1048576,"target_modules":["q_proj"])").empty());
  CHECK(field(R"("r":"8","target_modules":["q_proj"])") == "r");
  CHECK(field(R"("r":8,"target_modules":"q_proj")") == "target_modules");
  CHECK(field(R"("r":8,"target_modules":[],"target_parameters":"q_proj.weight")") == "target_parameters");
  CHECK(field(R"("r":8,"target_modules":[],"modules_to_save":7)") == "modules_to_save");
  CHECK(reason(R"("r":8,"target_modules":"All-Linear","target_parameters":null)").empty());
}

TEST_CASE("names of an adapter that match nothing are listed") {
  const auto note = [](const std::string& lora) {
    return memory_answer(R"({"model_type":"llama","num_hidden_layers":2})", R"("training":{"lora":{"r":8,)" + lora + "}}")
        .at("training")
        .value("note", "");
  };
  CHECK(note(R"("target_modules":["q_proj","nope"],"target_parameters":["nothing"],"modules_to_save":["none"])") ==
        "Nothing in this model is named nope, nothing, none.");
  CHECK(note(R"("target_modules":["q_proj"],"modules_to_save":["lm_head"])").empty());
}

TEST_CASE("an adapter may train nothing but parameters") {
  const Json training =
      memory_answer(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":64})",
                    R"("training":{"lora":{"r":8,"target_modules":[],"target_parameters":["q_proj.weight"]}})")
          .at("training");
  REQUIRE(training.at("known") == true);
  CHECK(training.at("trained") == std::to_string(2 * 8 * (128 + 128)));
}

TEST_CASE("modules_to_save trains each module whose name ends with a listed name") {
  const auto training = [](const std::string& saved) {
    const std::string config = R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":64})";
    const Json answer = memory_answer(
        config, R"("training":{"optimizer":"muon","lora":{"r":8,"target_modules":["q_proj"],"modules_to_save":[)" + saved + "]}}");
    const Json& rows = answer.at("training").at("rows");
    const auto states = std::find_if(rows.begin(), rows.end(), [](const Json& row) { return row.at("name") == "states"; });
    return std::pair(answer.at("training").at("trained").get<std::string>(), states->at("total").at("bytes").get<std::string>());
  };
  // An adapter of 8 × (128 + 128) in two layers. Muon keeps one number for each parameter of a matrix inside the layers.
  constexpr int adapter = 2 * 8 * (128 + 128);
  CHECK(training("") == std::pair(std::to_string(adapter), std::to_string(4 * adapter)));
  CHECK(training(R"("")") == training(""));  // every name ends with an empty one
  // "head" stands for "lm_head". AdamW optimizes the head, and keeps two numbers for each of its 64 × 128 parameters.
  CHECK(training(R"("head")") == std::pair(std::to_string(adapter + 64 * 128), std::to_string(4 * adapter + 8 * 64 * 128)));
  // The matrices of 128 × 128 in two layers are optimized by Muon.
  CHECK(training(R"("k_proj")") == std::pair(std::to_string(adapter + 2 * 128 * 128), std::to_string(4 * (adapter + 2 * 128 * 128))));
}

}  // namespace param_ledger::test
