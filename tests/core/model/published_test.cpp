#include "core/model/published.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The tensors that published files contain or may contain in addition to the model's own, one per line: kind, name, shape and total.
std::string beside(const std::string& config) {
  std::string out;
  const Json answer = answer_to(config);
  for (const Json& row : answer.at("tensors")) {
    const std::string kind = row.value("kind", "parameter");
    if (kind != "published" && kind != "possible") continue;
    CHECK_FALSE(row.at("reason").get<std::string>().empty());
    out += kind + ' ' + row.at("name").get<std::string>() + ' ' + row.at("shape").dump() + ' ' + row.at("total").get<std::string>() + '\n';
  }
  return out;
}

/// How often a word occurs in a text.
std::size_t times(const std::string& text, std::string_view word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

// Mistral with widths that are not divisible into blocks of 4 × 4: queries 2 × 3 = 6, keys and values 1 × 3.
const std::string small_mistral =
    R"({"model_type": "mistral", "hidden_size": 6, "intermediate_size": 9, "num_hidden_layers": 3, "num_attention_heads": 2,
        "num_key_value_heads": 1, "head_dim": 3, "vocab_size": 10, "quantization_config": )";

}  // namespace

TEST_CASE("8-bit blocks have a scale each, also partial ones", "[published]") {
  CHECK(beside(small_mistral + R"({"quant_method": "fp8", "weight_block_size": [4, 4]}})") ==
        "published model.layers.[0-2].self_attn.q_proj.weight_scale_inv [2,2] 12\n"
        "published model.layers.[0-2].self_attn.k_proj.weight_scale_inv [1,2] 6\n"
        "published model.layers.[0-2].self_attn.v_proj.weight_scale_inv [1,2] 6\n"
        "published model.layers.[0-2].self_attn.o_proj.weight_scale_inv [2,2] 12\n"
        "published model.layers.[0-2].mlp.gate_proj.weight_scale_inv [3,2] 18\n"
        "published model.layers.[0-2].mlp.up_proj.weight_scale_inv [3,2] 18\n"
        "published model.layers.[0-2].mlp.down_proj.weight_scale_inv [2,3] 18\n");
}

TEST_CASE("modules that are not converted have no scales", "[published]") {
  const auto scales = [](const std::string& kept) {
    return beside(small_mistral + R"({"quant_method": "fp8", "weight_block_size": [4, 4], "modules_to_not_convert": )" + kept + "}}");
  };
  CHECK(times(scales("null"), "\n") == 7);
  CHECK(times(scales(R"(["lm_head", "model.norm"])"), "\n") == 7);
  CHECK(times(scales(R"(["mlp"])"), "mlp") == 0);
  CHECK(times(scales(R"(["mlp"])"), "\n") == 4);
  CHECK(times(scales(R"(["model.layers.*.self_attn"])"), "\n") == 3);
  CHECK(times(scales(R"(["gate"])"), "gate_proj") == 1);
  // A list may name a single layer, also with another prefix than the model's.
  CHECK(scales(R"(["model.language_model.layers.1.self_attn", "model.layers.0.mlp", "model.layers.0.mlp", "model.layers.7.mlp"])") ==
        "published model.layers.[0,2].self_attn.q_proj.weight_scale_inv [2,2] 8\n"
        "published model.layers.[0,2].self_attn.k_proj.weight_scale_inv [1,2] 4\n"
        "published model.layers.[0,2].self_attn.v_proj.weight_scale_inv [1,2] 4\n"
        "published model.layers.[0,2].self_attn.o_proj.weight_scale_inv [2,2] 8\n"
        "published model.layers.[1-2].mlp.gate_proj.weight_scale_inv [3,2] 12\n"
        "published model.layers.[1-2].mlp.up_proj.weight_scale_inv [3,2] 12\n"
        "published model.layers.[1-2].mlp.down_proj.weight_scale_inv [2,3] 12\n");
  CHECK(scales(R"(["model.layers.0", "model.layers.1", "model.layers.2"])").empty());
}

TEST_CASE("scales of other quantizations are not guessed", "[published]") {
  for (const char* method :
       {R"({"quant_method": "gptq", "bits": 4})", R"({"quant_method": "fp8"})", "{}",
        R"({"quant_method": "fp8", "weight_block_size": [128]})", R"({"quant_method": "fp8", "weight_block_size": [128, 0]})"}) {
    CAPTURE(method);
    const Json answer = answer_to(small_mistral + method + "}");
    CHECK_FALSE(answer.at("totals").contains("published"));
    REQUIRE(answer.at("notes").size() > 0);
    bool noted = false;
    for (const Json& note : answer.at("notes")) noted |= note.value("field", "") == "quantization_config";
    CHECK(noted);
  }
}

TEST_CASE("4-bit experts have a scale for each 32 weights", "[published]") {
  const std::string scales =
      beside(R"({"model_type": "gpt_oss", "hidden_size": 64, "intermediate_size": 40, "num_hidden_layers": 2, "num_local_experts": 3,
                 "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 32, "vocab_size": 8,
                 "quantization_config": {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "lm_head"]}})");
  CHECK(scales ==
        "published model.layers.[0-1].mlp.experts.gate_up_proj_scales [3,80,2] 960\n"
        "published model.layers.[0-1].mlp.experts.down_proj_scales [3,64,2] 768\n");
}

TEST_CASE("files may store a tied head", "[published]") {
  const std::string config = R"({"model_type": "qwen3", "hidden_size": 8, "vocab_size": 5, "tie_word_embeddings": )";
  CHECK(beside(config + "true}") == "possible lm_head.weight [5,8] 40\n");
  CHECK(beside(config + "false}").empty());
  // transformers always ties T5's head, but the files of a model that was trained with an untied head contain it.
  const auto head = [](const char* tied) {
    const std::string rows =
        beside(R"({"model_type": "t5", "d_model": 8, "vocab_size": 5, "tie_word_embeddings": )" + std::string(tied) + "}");
    return rows.substr(rows.rfind('\n', rows.find("lm_head")) + 1);
  };
  CHECK(head("true") == "possible lm_head.weight [5,8] 40\n");
  CHECK(head("false") == "published lm_head.weight [5,8] 40\n");
}

namespace {

// A small GLM with one dense layer and two layers with experts.
const std::string small_glm =
    R"("hidden_size": 6, "intermediate_size": 4, "num_hidden_layers": 3, "first_k_dense_replace": 1, "num_attention_heads": 1,
       "num_key_value_heads": 1, "head_dim": 6, "vocab_size": 10, "n_routed_experts": 3, "n_shared_experts": 1, "moe_intermediate_size": 5)";

}  // namespace

TEST_CASE("a prediction layer is a copy of the last layer with an input projection", "[published]") {
  // Norms 2 × 6; attention 4 × 36; router 18 and its correction 3; 3 experts and a shared one of 3 × 30.
  const std::uint64_t layer = 12 + 144 + 18 + 3 + 4 * 90;
  // An embedding table and a head of 60 each, a projection from 12 to 6, and three norms.
  const std::uint64_t joined = 60 + 60 + 72 + 18;
  const std::string glm = R"({"model_type": "glm4_moe", )" + small_glm;
  for (std::uint64_t n : {0U, 1U, 2U}) {
    const Json answer = answer_to(glm + R"(, "num_nextn_predict_layers": )" + std::to_string(n) + "}");
    CHECK(std::stoull(total(answer, "published")) - std::stoull(total(answer, "stored")) == n * (layer + joined));
  }
  CHECK(beside(glm + R"(, "num_nextn_predict_layers": 2})")
            .find("published model.layers.[3-4].mlp.experts.[0-2].up_proj.weight [5,6] 180\n") != std::string::npos);
  // If the configuration does not give the number of prediction layers, the files may contain one.
  const Json silent = answer_to(glm + "}");
  CHECK(total(silent, "published") == total(silent, "stored"));
  CHECK(times(beside(glm + "}"), "possible model.layers.3.") ==
        times(beside(glm + R"(, "num_nextn_predict_layers": 1})"), "published model.layers.3."));
  CHECK(beside(glm + R"(, "architectures": ["Glm4MoeModel"], "num_nextn_predict_layers": 1})").empty());
  CHECK(times(beside(glm +
                     R"(, "num_nextn_predict_layers": 1, "quantization_config": {"quant_method": "fp8", "weight_block_size": [2, 2]}})"),
              "model.layers.3.eh_proj.weight_scale_inv") == 0);
}

TEST_CASE("prediction layers follow the kinds in their pattern", "[published]") {
  const std::string nemotron =
      R"({"model_type": "nemotron_h", "hidden_size": 6, "num_attention_heads": 1, "num_key_value_heads": 1, "head_dim": 4, "n_routed_experts": 3,
          "moe_intermediate_size": 5, "moe_shared_expert_intermediate_size": 2, "vocab_size": 10)";
  CHECK(beside(nemotron + R"(, "layers_block_type": ["mamba", "moe", "attention"], "num_nextn_predict_layers": 1})") ==
        "published mtp.layers.0.enorm.weight [6] 6\n"
        "published mtp.layers.0.hnorm.weight [6] 6\n"
        "published mtp.layers.0.eh_proj.weight [6,12] 72\n"
        "published mtp.layers.0.norm.weight [6] 6\n"
        "published mtp.layers.0.mixer.q_proj.weight [4,6] 24\n"
        "published mtp.layers.0.mixer.k_proj.weight [4,6] 24\n"
        "published mtp.layers.0.mixer.v_proj.weight [4,6] 24\n"
        "published mtp.layers.0.mixer.o_proj.weight [6,4] 24\n"
        "published mtp.layers.1.norm.weight [6] 6\n"
        "published mtp.layers.1.mixer.gate.weight [3,6] 18\n"
        "published mtp.layers.1.mixer.gate.e_score_correction_bias [3] 3\n"
        "published mtp.layers.1.mixer.experts.[0-2].up_proj.weight [5,6] 90\n"
        "published mtp.layers.1.mixer.experts.[0-2].down_proj.weight [6,5] 90\n"
        "published mtp.layers.1.mixer.shared_experts.up_proj.weight [2,6] 12\n"
        "published mtp.layers.1.mixer.shared_experts.down_proj.weight [6,2] 12\n"
        "published mtp.layers.1.final_layernorm.weight [6] 6\n");
  // The prediction layer is of a kind that the model's layers do not have, so its tensors are unknown.
  const Json answer = answer_to(nemotron + R"(, "layers_block_type": ["mamba"], "num_nextn_predict_layers": 1})");
  CHECK(total(answer, "published") == total(answer, "stored"));
  CHECK(times(answer.at("notes").dump(), "num_nextn_predict_layers") > 0);
}

// Like Qwen3.5-9B, but with one layer less, so that the model's last layer and the prediction layer are of different kinds.
TEST_CASE("separate prediction layers attend to all positions", "[published]") {
  const Json answer = answer_to(
      R"({"model_type": "qwen3_5", "architectures": ["Qwen3_5ForCausalLM"], "text_config": {"hidden_size": 4096, "intermediate_size": 12288,
          "num_hidden_layers": 31, "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 256, "mtp_num_hidden_layers": 1}})");
  CHECK(std::stoull(total(answer, "published")) - std::stoull(total(answer, "stored")) == 243'290'624);
}

TEST_CASE("a list of modules that takes too long to look up is refused", "[published]") {
  const auto code = [](int names) {
    std::string kept;
    for (int i = 0; i < names; ++i) kept += (i > 0 ? "," : "") + ("\"a" + std::to_string(i) + "\"");
    const Json answer =
        answer_to(small_mistral + R"({"quant_method": "fp8", "weight_block_size": [4, 4], "ignored_layers": [)" + kept + "]}}");
    return answer.at("ok") == true ? "" : answer.at("error").at("code").get<std::string>();
  };
  CHECK(code(1000).empty());
  CHECK(code(100'000) == "too_large");
}

TEST_CASE("a pattern with too many prediction layers is noted, not counted", "[published]") {
  const auto rows = [](std::size_t letters) {
    return beside(config_of("nemotron_h",
                            {{"num_nextn_predict_layers", "1"}, {"mtp_hybrid_override_pattern", '"' + std::string(letters, '*') + '"'}}));
  };
  CHECK(times(rows(3), "eh_proj") == 1);
  CHECK(times(rows(3), "q_proj") == 3);
  CHECK(rows(100'000).empty());
}

TEST_CASE("prediction layers with unknown contents are noted", "[published]") {
  const auto noted = [](const char* type) { return times(answer_to(config_of(type)).at("notes").dump(), "prediction layers"); };
  CHECK(noted("glm4_moe_lite") == 1);
  CHECK(noted("longcat_flash") == 1);
  CHECK(noted("llama") == 0);
  CHECK(times(answer_to(R"({"model_type": "hy_v3", "architectures": ["HYV3Model"]})").at("notes").dump(), "prediction layers") == 0);
}

}  // namespace param_ledger::test
