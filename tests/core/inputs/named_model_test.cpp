// Reads inputs that only name a model, and adapters together with a model. tests/data/lora.jsonl records what peft trains.

#include "tests/support/reading.hpp"

namespace param_ledger::test {

TEST_CASE("the Hub's answer gives the model's name and its files' contents", "[inputs]") {
  const Json reading = reading_of(
      R"({"_id": "1", "id": "meta-llama/Llama-3.1-8B", "siblings": [{"rfilename": "config.json"}],
          "config": {"architectures": ["LlamaForCausalLM"], "model_type": "llama"},
          "safetensors": {"parameters": {"BF16": 8030261248}, "total": 8030261248}})");
  CHECK(reading.at("kind") == "named");
  CHECK(reading.at("what") == "hub");
  CHECK(reading.at("id") == "meta-llama/Llama-3.1-8B");
  CHECK(reading.at("parameters") == "8030261248");
  CHECK(reading.at("dtypes").at(0).at("dtype") == "BF16");
  const Json negative =
      reading_of(R"({"_id": "1", "id": "a/b", "siblings": [], "safetensors": {"parameters": {"BF16": -5, "F32": 5}, "total": -5}})");
  CHECK_FALSE(negative.contains("parameters"));
  REQUIRE(negative.at("dtypes").size() == 1);
  CHECK(negative.at("dtypes").at(0).at("dtype") == "F32");
}

TEST_CASE("an adapter is counted as peft trains it, or the answer says why not", "[inputs]") {
  const std::string llama = config_of("llama");
  const auto adapter = [&](const std::string& more) {
    return reading_of(
        R"({"base_model_name_or_path": "meta-llama/Llama-2-7b-hf", "peft_type": "LORA", "lora_alpha": 16, "bias": "none", )" + more + "}",
        llama);
  };
  const Json plain = adapter(R"("r": 8, "target_modules": ["v_proj", "q_proj"], "modules_to_save": null, "use_dora": false)");
  CHECK(plain.at("id") == "meta-llama/Llama-2-7b-hf");
  CHECK(plain.at("adapter").at("parameters") == "4194304");  // as in tests/data/lora.jsonl
  CHECK(adapter(R"("r": 8, "target_modules": "all-linear")").at("adapter").at("parameters") == "19988480");
  CHECK(
      adapter(R"("r": 8, "target_modules": "all-linear", "rank_pattern": {}, "layers_to_transform": [])").at("adapter").at("parameters") ==
      "19988480");
  // In each of 32 layers LoRA adds 8 · (4,096 + 4,096) parameters. DoRA adds 4,096 magnitudes per layer, and modules_to_save adds the head
  // of 32,000 · 4,096.
  CHECK(adapter(R"("r": 8, "target_modules": ["q_proj"], "use_dora": true, "use_rslora": true)").at("adapter").at("parameters") ==
        "2228224");
  CHECK(adapter(R"("r": 8, "target_modules": ["q_proj"], "modules_to_save": ["lm_head"])").at("adapter").at("parameters") == "133169152");
  // GPT-2's Conv1D stores inputs × outputs. In each of 12 layers c_fc gets 8 · (768 + 3,072) parameters and 3,072 magnitudes.
  CHECK(reading_of(R"({"peft_type": "LORA", "r": 8, "target_modules": ["c_fc"], "use_dora": true})", R"({"model_type": "gpt2"})")
            .at("adapter")
            .at("parameters") == "405504");
  for (const std::string more :
       {R"("r": 8, "target_modules": ["q_proj"], "lora_bias": true)", R"("r": 8, "target_modules": ".*_proj")",
        R"("r": 8, "target_modules": null)", R"("r": 8, "target_modules": ["q_proj"], "rank_pattern": {"x": 4})"}) {
    CAPTURE(more);
    const Json refused = adapter(more).at("adapter");
    CHECK_FALSE(refused.contains("parameters"));
    CHECK_FALSE(refused.at("uncounted").get<std::string>().empty());
  }
  CHECK(reading_of(R"({"base_model_name_or_path": "/home/me/model", "peft_type": "IA3"})").at("id") == "");
  // Both files are passed in one request.
  const Json both = reading_of(
      {{"adapter_config.json", R"({"peft_type": "LORA", "r": 8, "target_modules": ["q_proj", "v_proj"]})"}, {"config.json", llama}});
  CHECK(both.at("adapter").at("parameters") == "4194304");
}

TEST_CASE("a training recipe names its model", "[inputs]") {
  const Json axolotl = reading_of(
      "base_model: NousResearch/Llama-3.2-1B\nadapter: qlora\nlora_r: 8\nlora_target_modules:\n  - q_proj\n  - v_proj\ndatasets:\n  - "
      "path: x\n    type: alpaca\n",
      config_of("llama"));
  CHECK(axolotl.at("what") == "recipe");
  CHECK(axolotl.at("id") == "NousResearch/Llama-3.2-1B");
  CHECK(axolotl.at("adapter").at("parameters") == "4194304");
  CHECK(reading_of("base_model: a/b\nadapter: lora\nlora_r: 8\nlora_target_linear: true\nlora_layers_to_transform: [0]\n")
            .at("adapter")
            .contains("uncounted"));
  CHECK(reading_of("model_name_or_path: Qwen/Qwen2.5-7B\nfinetuning_type: full\n").at("id") == "Qwen/Qwen2.5-7B");
}

TEST_CASE("a torchtune recipe names the builder of its model", "[inputs]") {
  const std::string recipe = R"(# LoRA on a single device
model:
  _component_: torchtune.models.llama3_1.lora_llama3_1_8b
  lora_attn_modules: ['q_proj', 'v_proj', 'output_proj']
  apply_lora_to_mlp: True
  apply_lora_to_output: False
  lora_rank: 8
  lora_alpha: 16
tokenizer:
  _component_: torchtune.models.llama3.llama3_tokenizer
  path: /tmp/model/tokenizer.model
  max_seq_len: null
checkpointer:
  checkpoint_files: [
    model-00001-of-00004.safetensors,
    model-00002-of-00004.safetensors
  ]
  output_dir: ${output_dir}
optimizer:
  _component_: torch.optim.AdamW
  lr: 3e-4
)";
  const Json read =
      reading_of(recipe, config_of("llama", {{"num_key_value_heads", "8"}, {"intermediate_size", "14336"}, {"vocab_size", "128256"}}));
  CHECK(read.at("what") == "recipe");
  CHECK(read.at("id") == "meta-llama/Llama-3.1-8B");
  // For each adapted matrix, rank 8 times the sum of its rows and columns.
  CHECK(read.at("adapter").at("parameters") == std::to_string(32 * 8 * (2 * 4096 + (4096 + 1024) + 2 * 4096 + 3 * (4096 + 14336))));
  CHECK(reading_of("model:\n  _component_: torchtune.models.qwen2_5.qwen2_5_7b_base\n").at("id") == "Qwen/Qwen2.5-7B");
  const Json unknown = reading_of("model:\n  _component_: torchtune.models.llama3.llama3\n  num_layers: 2\n");
  CHECK(unknown.at("what") == "recipe");
  CHECK(unknown.at("id") == "");
  CHECK(reading_of("model:\n  _component_: torchtune.models.phi3.lora_phi3_mini\n  lora_attn_modules: [q_proj]\n  lora_rank: 8\n")
            .at("adapter")
            .contains("uncounted"));
}

}  // namespace param_ledger::test
