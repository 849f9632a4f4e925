#include "core/model/model.hpp"

#include "core/api/report.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The class that is counted for a configuration.
std::string counted_class(const std::string& config) {
  const Json answer = answer_to(config);
  return answer.at("ok") == true ? answer.at("architecture").get<std::string>() : answer.dump();
}

/// The level of the note on a field; empty if there is none.
std::string level_of(const std::string& config, std::string_view field) {
  const Json answer = answer_to(config);
  for (const Json& note : answer.at("notes"))
    if (note.value("field", "") == field) return note.at("level").get<std::string>();
  return {};
}

std::string message_of(const std::string& config, std::string_view field) {
  const Json answer = answer_to(config);
  for (const Json& note : answer.at("notes"))
    if (note.value("field", "") == field) return note.at("message").get<std::string>();
  return {};
}

}  // namespace

TEST_CASE("an encoder-decoder without architectures is counted with its encoder", "[model]") {
  // In transformers, is_encoder_decoder is true by default for each of these types.
  for (const auto& [type, wanted] :
       std::vector<std::pair<const char*, const char*>>{{"bart", "BartForConditionalGeneration"},
                                                        {"mbart", "MBartForConditionalGeneration"},
                                                        {"pegasus", "PegasusForConditionalGeneration"},
                                                        {"marian", "MarianMTModel"},
                                                        {"blenderbot", "BlenderbotForConditionalGeneration"},
                                                        {"blenderbot-small", "BlenderbotSmallForConditionalGeneration"},
                                                        {"plbart", "PLBartForConditionalGeneration"},
                                                        {"mvp", "MvpForConditionalGeneration"},
                                                        {"prophetnet", "ProphetNetForConditionalGeneration"},
                                                        {"bigbird_pegasus", "BigBirdPegasusForConditionalGeneration"},
                                                        {"whisper", "WhisperForConditionalGeneration"},
                                                        {"t5", "T5ForConditionalGeneration"},
                                                        {"mt5", "MT5ForConditionalGeneration"},
                                                        {"umt5", "UMT5ForConditionalGeneration"},
                                                        {"longt5", "LongT5ForConditionalGeneration"},
                                                        {"led", "LEDForConditionalGeneration"},
                                                        {"m2m_100", "M2M100ForConditionalGeneration"},
                                                        {"nllb-moe", "NllbMoeForConditionalGeneration"},
                                                        {"switch_transformers", "SwitchTransformersForConditionalGeneration"},
                                                        {"pegasus_x", "PegasusXForConditionalGeneration"},
                                                        {"fsmt", "FSMTForConditionalGeneration"},
                                                        {"speech_to_text", "Speech2TextForConditionalGeneration"},
                                                        {"moonshine", "MoonshineForConditionalGeneration"},
                                                        {"dia", "DiaForConditionalGeneration"},
                                                        {"t5gemma", "T5GemmaForConditionalGeneration"},
                                                        {"udop", "UdopForConditionalGeneration"},
                                                        {"pix2struct", "Pix2StructForConditionalGeneration"},
                                                        {"florence2", "Florence2ForConditionalGeneration"},
                                                        {"pop2piano", "Pop2PianoForConditionalGeneration"},
                                                        {"canary", "CanaryForConditionalGeneration"},
                                                        {"cohere_asr", "CohereAsrForConditionalGeneration"},
                                                        {"speecht5", "SpeechT5ForSpeechToText"}}) {
    INFO(type);
    CHECK(counted_class(config_of(type)) == wanted);
  }
  CHECK(counted_class(config_of("bart", {{"is_encoder_decoder", "true"}})) == "BartForConditionalGeneration");
  CHECK(counted_class(config_of("bart", {{"is_encoder_decoder", "false"}})) == "BartForCausalLM");
  CHECK(counted_class(config_of("whisper", {{"is_encoder_decoder", "false"}})) == "WhisperForCausalLM");
  // The number that `oracle.py show` prints for BartForConditionalGeneration.
  CHECK(parameters("bart") == "406291456");
}

TEST_CASE("a model with its own code is warned of if it has a field that its type lacks", "[model]") {
  const auto config = [](const std::string& more, const char* place = "bert_layers.BertForMaskedLM") {
    return R"({"model_type":"bert","architectures":["BertForMaskedLM"],"auto_map":{"AutoModelForMaskedLM":")" + std::string(place) + "\"}" +
           more + "}";
  };
  CHECK(level_of(config(R"(,"alibi_starting_size":512)"), "auto_map") == "warning");
  CHECK(message_of(config(R"(,"alibi_starting_size":512)"), "auto_map").find("alibi_starting_size") != std::string::npos);
  CHECK(level_of(config(R"(,"hidden_dropout_prob":0.1,"classifier_dropout":null,"use_cache":true)"), "auto_map") == "info");
  // There is no note, because chatglm is already counted as its published code builds it, and auto_map names that code.
  const std::string chatglm = R"({"model_type":"chatglm","architectures":["ChatGLMModel"],"auto_map":{)"
                              R"("AutoModel":"modeling_chatglm.ChatGLMForConditionalGeneration"}})";
  CHECK(level_of(chatglm, "auto_map").empty());
}

TEST_CASE("a warning says that all sizes are defaults", "[model]") {
  const std::string config = R"({"model_type":"whisper","width":1024,"layers":24,"clip_length":480000})";
  CHECK(level_of(config, "width") == "warning");
  CHECK(message_of(config, "width") ==
        "No field gives a size that model_type whisper reads, so all sizes are its defaults. width is not read.");
  CHECK(level_of(R"({"model_type":"whisper","d_model":768,"width":1024})", "width") != "warning");
  CHECK(level_of(R"({"model_type":"whisper","pad_token_id":50256})", "pad_token_id").empty());
}

TEST_CASE("a padding token outside of the vocabulary gives a warning", "[model]") {
  CHECK(level_of(config_of("llama", {{"vocab_size", "32000"}, {"pad_token_id", "32000"}}), "pad_token_id") == "warning");
  CHECK(level_of(config_of("llama", {{"vocab_size", "32000"}, {"pad_token_id", "31999"}}), "pad_token_id").empty());
  CHECK(level_of(config_of("llama", {{"vocab_size", "32000"}, {"pad_token_id", "-1"}}), "pad_token_id").empty());
}

TEST_CASE("the total of published files is omitted if it is not known", "[model]") {
  const auto has_published = [](const std::string& more) {
    return answer_to(R"({"model_type":"llama",)" + more + "}").at("totals").contains("published");
  };
  CHECK(has_published(R"("dtype":"bfloat16")"));
  CHECK(has_published(R"("quantization_config":{"quant_method":"fp8","weight_block_size":[128,128]})"));
  for (const char* packed : {R"({"quant_method":"modelopt","quant_algo":"NVFP4"})", R"({"quant_method":"gptq","bits":4,"group_size":128})",
                             R"({"group_size":64,"bits":4})", R"({"quant_method":"fp8","activation_scheme":"static"})",
                             R"({"quant_method":"fp8","activation_scheme":"dynamic"})", R"({"quant_method":"fbgemm_fp8"})",
                             R"({"quant_method":"compressed-tensors"})", R"({"quant_method":"bitsandbytes","load_in_4bit":true})"}) {
    INFO(packed);
    CHECK_FALSE(has_published(R"("quantization_config":)" + std::string(packed)));
  }
  CHECK_FALSE(has_published(R"("compression_config":{"format":"pack-quantized"})"));
}

TEST_CASE("a note says how files are quantized", "[model]") {
  const auto note = [](const std::string& more, std::string_view field = "quantization_config") {
    return message_of(R"({"model_type":"llama",)" + more + "}", field);
  };
  CHECK(note(R"("quantization_config":{"group_size":64,"bits":4})").starts_with("The files are quantised (MLX)."));
  CHECK(level_of(R"({"model_type":"llama","quantization":{"group_size":64,"bits":4}})", "quantization") != "");
  CHECK_FALSE(answer_to(R"({"model_type":"llama","quantization":{"group_size":64,"bits":4}})").at("totals").contains("published"));
  CHECK(note(R"("quantization_config":{"x":1})").starts_with("The files are quantised (an unknown method)."));
  CHECK(note(R"("compression_config":{"format":"x"})", "compression_config").starts_with("The files are quantised (compressed-tensors)."));
  CHECK(note(R"("quantization_config":{"quant_method":"mxfp4"})") ==
        "quant_method mxfp4 packs stacked experts, but this model has none, so nothing in its files is packed.");
}

// How many experts a token is routed to affects no tensor. It affects only the parameters and the operations per token.
TEST_CASE("only what depends on the experts per token is left open where it is missing", "[model]") {
  const std::string config = R"({"model_type": "deepseek_v2", "num_hidden_layers": 2, "first_k_dense_replace": 1})";
  const Json totals = answer_to(config).at("totals");
  CHECK(totals.contains("parameters"));
  for (const char* name : {"active", "active_non_embedding"}) CHECK(!totals.contains(name));
  for (const std::string& answer : {operations(config, "{}"), check(config, "2B active")}) {
    const Json error = Json::parse(answer).value("error", Json::object());
    CHECK(error.value("field", "") == "num_experts_per_tok");
    CHECK(error.value("kind", "") == "unsaid_experts");
  }
  CHECK(Json::parse(memory(config, R"({"tokens": 4096})")).at("ok") == true);
  CHECK(Json::parse(derive(config)).at("ok") == true);
}

}  // namespace param_ledger::test
