#include <array>
#include <cstdio>
#include <set>

#include "tests/support/cost.hpp"

// Tests the memory of a model in use and in training against transformers' own forward pass, published files, peft, and calculations by
// hand.

namespace {

using namespace param_ledger;
using namespace param_ledger::test;
using Json = nlohmann::ordered_json;

Json asked(const std::string& config, const std::string& options = "") { return parsed(memory(config, "{" + options + "}")); }

std::string weights(const std::string& config, const std::string& format = "published") {
  const Json answer = asked(config, "\"weights\":\"" + format + "\"").at("weights");
  return answer.at("known").get<bool>() ? answer.at("loaded").at("bytes").get<std::string>() : answer.at("reason").get<std::string>();
}

const std::string llama_2_7b =
    R"({"model_type":"llama","hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"vocab_size":32000,"torch_dtype":"float16"})";

std::string quantised(const std::string& quantization, const std::string& field = "quantization_config") {
  // A model with one layer and matrices of 128 × 128 and 256 × 128, which is easily calculated by hand.
  return R"({"model_type":"llama","hidden_size":128,"intermediate_size":256,"num_hidden_layers":1,"num_attention_heads":2,"vocab_size":64,)"
         R"("torch_dtype":"float16",")" +
         field + "\":" + quantization + "}";
}

}  // namespace

TEST_CASE("caches and operations are those of transformers") {
  const std::string text = text_of("cost.jsonl.gz");
  std::size_t cases = 0, caches_unknown = 0, compute_unknown = 0;
  for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    const std::string line = text.substr(start, end - start);
    const CostVerdict verdict = compare_cost(line);
    INFO(line.substr(0, 200));
    CHECK(verdict.wrong == "");
    ++cases;
    caches_unknown += verdict.unknown.find("cache:") != std::string::npos;
    compute_unknown += verdict.unknown.find("compute:") != std::string::npos;
  }
  // The numbers of cases whose cache or operations are unknown must not change unnoticed.
  CHECK(cases == 453);
  CHECK(caches_unknown == 6);
  CHECK(compute_unknown == 27);
}

TEST_CASE("the cache of a type that was not compared is unknown") {
  const Json cache = asked(R"({"model_type":"dbrx"})").at("cache");
  CHECK(cache.at("known") == false);
  CHECK(cache.at("reason") == "The cache of dbrx is not known: it has not been compared with what transformers keeps.");
}

TEST_CASE("the cache of classes and switches that were not compared is unknown") {
  const auto known = [](const std::string& config) { return asked(config).at("cache").at("known").get<bool>(); };
  CHECK(known(R"({"model_type":"whisper","architectures":["WhisperForCausalLM"]})"));
  CHECK_FALSE(known(R"({"model_type":"whisper","architectures":["WhisperModel"]})"));
  CHECK_FALSE(known(R"({"model_type":"bart","architectures":["BartForSequenceClassification"]})"));
  CHECK_FALSE(known(R"({"model_type":"gemma3n"})"));
  CHECK_FALSE(known(R"({"model_type":"mvp","architectures":["MvpForConditionalGeneration"]})"));
  CHECK(known(R"({"model_type":"bert","architectures":["BertLMHeadModel"]})"));
  CHECK_FALSE(known(R"({"model_type":"bert","architectures":["BertLMHeadModel"],"is_decoder":true})"));
}

TEST_CASE("unknown operations of a text model stay unknown inside another model") {
  const auto compute = [](const std::string& config) { return asked(config).at("compute"); };
  const Json inside = compute(R"({"model_type":"llava","text_config":{"model_type":"llama4_text","num_hidden_layers":2}})");
  CHECK(inside.at("known") == false);
  CHECK(inside.at("reason") == compute(R"({"model_type":"llama4_text"})").at("reason"));
}

TEST_CASE("operations that are not counted are named") {
  const auto left_out = [](const std::string& config) { return asked(config).at("compute").at("left_out"); };
  CHECK(left_out(R"({"model_type":"llama"})") == Json::array());
  CHECK(left_out(R"({"model_type":"mamba2"})") ==
        Json{"The additional operations of processing a prompt's recurrence in chunks. The recurrence is counted token by token."});
  CHECK(left_out(R"({"model_type":"llava"})") == Json{"Images and audio: their encoders, and merging their outputs with the text tokens."});
  CHECK(left_out(R"({"model_type":"whisper","architectures":["WhisperForCausalLM"]})") ==
        Json{"Attention to an encoder's output, which text alone does not use."});
}

TEST_CASE("a layer of Zamba2 multiplies only its own adapters") {
  // If each layer applied all adapters of its shared block, this would be 4,055,490,560 multiply-adds.
  const std::uint64_t kernels = 54ULL * (2 * 2560 + 2 * 64) * 4;  // convolutions along the sequence
  CHECK(asked(R"({"model_type":"zamba2"})").at("compute").at("matrices") == std::to_string(3'843'153'920 + kernels));
}

TEST_CASE("an encoder's output is kept once, by hand") {
  // Whisper large-v3-turbo has 4 decoder layers with 20 heads of 64. It caches the keys and values of 1,500 encoder positions and of all
  // tokens so far, in two bytes each.
  const std::string whisper =
      R"({"model_type":"whisper","architectures":["WhisperForConditionalGeneration"],"d_model":1280,"decoder_attention_heads":20,)"
      R"("decoder_ffn_dim":5120,"decoder_layers":4,"encoder_attention_heads":20,"encoder_ffn_dim":5120,"encoder_layers":32,)"
      R"("num_mel_bins":128,"vocab_size":51866})";
  const auto kept = [](const std::string& config, const std::string& options) {
    return asked(config, options).at("cache").at("total").at("bytes").get<std::string>();
  };
  const auto bytes = [](std::uint64_t places) { return std::to_string(4 * 2 * 1280 * places * 2); };
  CHECK(kept(whisper, R"("tokens":448)") == bytes(1500 + 448));
  CHECK_FALSE(asked(whisper).contains("source"));
  // Per layer: the query and output projections of both attentions, the key and value projections of self-attention, and the feed-forward
  // block. After the layers: the head.
  const std::uint64_t d = 1280, matrices = 4 * (6 * d * d + 2 * d * 5120) + 51866 * d, read = 4 * 2 * d * 1500;
  const Json compute = asked(whisper, R"("tokens":1)").at("compute");
  CHECK(compute.at("matrices") == std::to_string(matrices));
  CHECK(compute.at("next") == std::to_string(2 * (matrices + read + 4 * 2 * d * 2)));
  // The backward pass takes twice the operations of the forward pass, because it computes gradients of both inputs and weights.
  CHECK(compute.at("training") == std::to_string(3 * std::stoull(compute.at("prompt").get<std::string>())));
  CHECK(compute.at("prompt") == std::to_string(2 * (matrices + read + 4 * 2 * d + 4 * 2 * d * d * 1500)));
  // T5 small has 6 layers with 8 heads of 64. By default, the source is as long as the context.
  const std::string t5 = R"({"model_type":"t5","architectures":["T5ForConditionalGeneration"]})";
  const auto t5_bytes = [](std::uint64_t places) { return std::to_string(6 * 2 * 512 * places * 2); };
  CHECK(kept(t5, R"("tokens":100,"source":13)") == t5_bytes(113));
  CHECK(kept(t5, R"("tokens":100)") == t5_bytes(200));
  CHECK(asked(t5, R"("tokens":100,"source":13)").at("source") == "13");
  CHECK(asked(t5, R"("tokens":100,"source":0)").at("error").at("field") == "source");
}

TEST_CASE("bytes of weights are those of published files") {
  // metadata.total_size of Meta-Llama-3-8B's model.safetensors.index.json
  CHECK(weights(R"({"model_type":"llama","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_key_value_heads":8,)"
                R"("vocab_size":128256,"torch_dtype":"bfloat16"})") == "16060522496");
  // MLX stores 4 bits per weight and, for every 64 weights, a scale and a bias of 16 bits, hence 4.5 bits. This includes tables. Norms keep
  // 16 bits.
  CHECK(asked(R"({"model_type":"llama","quantization":{"group_size":64,"bits":4}})", "").at("weights").at("bits_per_parameter") == "4.50");
  CHECK(asked(llama_2_7b, "").at("weights").at("bits_per_parameter") == "16.0");
  // TheBloke's GGUF files of Llama 2 7B: 3,825,807,040, 5,529,194,176 and 7,161,089,728 bytes, each with the same header.
  const std::uint64_t header = 741'056;
  CHECK(weights(llama_2_7b, "Q4_0") == std::to_string(3'825'807'040 - header));
  CHECK(weights(llama_2_7b, "Q6_K") == std::to_string(5'529'194'176 - header));
  CHECK(weights(llama_2_7b, "Q8_0") == std::to_string(7'161'089'728 - header));
}

TEST_CASE("quantized weights by hand") {
  // Four matrices of 128 × 128 and three of 256 × 128 have 163,840 weights, which are quantized. The other 2 × 64 × 128 + 3 × 128 weights
  // keep 16 bits.
  const std::uint64_t numbers = 163'840, rest = 2 * (2 * 64 * 128 + 3 * 128);
  // GPTQ in groups of 128: 4 bits per weight, a 16-bit scale and a 4-bit zero point per group and row, and a 32-bit group index per column.
  const std::uint64_t rows_by_groups = 4 * 128 + 2 * 256 + 2 * 128;
  const std::uint64_t gptq = numbers / 2 + rows_by_groups * 2 + rows_by_groups / 2 + 4 * (6 * 128 + 256);
  CHECK(weights(quantised(R"({"quant_method":"gptq","bits":4,"group_size":128})")) == std::to_string(gptq + rest));
  // AWQ stores what GPTQ stores, except for the group indices.
  const std::uint64_t awq = numbers / 2 + rows_by_groups * 2 + rows_by_groups / 2;
  CHECK(weights(quantised(R"({"quant_method":"awq","bits":4,"group_size":128})")) == std::to_string(awq + rest));
  // GPTQ in 3 bits: 32 weights take 12 bytes, and so do 32 zero points.
  CHECK(weights(quantised(R"({"quant_method":"gptq","bits":3,"group_size":128})")) ==
        std::to_string(numbers * 3 / 8 + rows_by_groups * 2 + rows_by_groups * 3 / 8 + 4 * (6 * 128 + 256) + rest));
  // MLX: a scale and a bias of 16 bits per group of 64 weights, including those of tables.
  const std::uint64_t all = numbers + 2 * 64 * 128;
  CHECK(weights(quantised(R"({"group_size":64,"bits":4})")) == std::to_string(all / 2 + all / 64 * 4 + 2 * 3 * 128));
  CHECK(weights(quantised(R"({"group_size":64,"bits":6})")) == std::to_string(all / 4 * 3 + all / 64 * 4 + 2 * 3 * 128));
  // Some of MLX's files have these settings only in the field `quantization`.
  CHECK(weights(quantised(R"({"group_size":64,"bits":4})", "quantization")) == std::to_string(all / 2 + all / 64 * 4 + 2 * 3 * 128));
  // MLX writes a layer's own settings, or false for a layer that stays in 16 bits.
  for (const char* own : {R"({"bits":8,"group_size":64})", "false"})
    CHECK(weights(quantised(R"({"group_size":64,"bits":4,"model.layers.0.mlp.down_proj":)" + std::string(own) + "}")) ==
          "How this quantisation stores these weights is not known.");
  for (const char* bits : {"1", "7", "17"})
    CHECK(weights(quantised(R"({"group_size":64,"bits":)" + std::string(bits) + "}")) ==
          "bits of MLX's quantisation must be 2, 3, 4, 5, 6 or 8, not " + std::string(bits) + ".");
  // bitsandbytes in 8 bits stores one 32-bit scale per row, and one more byte per matrix. In 4 bits it stores one 32-bit scale per 64
  // weights, and a table of 16 values per matrix.
  CHECK(weights(quantised(R"({"quant_method":"bitsandbytes","load_in_8bit":true})")) ==
        std::to_string(numbers + 4 * (5 * 128 + 2 * 256) + 7 + rest));
  CHECK(weights(quantised(R"({"quant_method":"bitsandbytes","load_in_4bit":true})")) ==
        std::to_string(numbers / 2 + numbers / 64 * 4 + 7 * 64 + rest));
  // NVFP4: an 8-bit scale for every 16 weights of a row, and two 32-bit scales per matrix, for its weight and for its input.
  const std::string nvfp4 = std::to_string(numbers / 2 + numbers / 16 + 7 * 8 + rest);
  CHECK(weights(quantised(R"({"quant_method":"modelopt","quant_algo":"NVFP4","ignore":["lm_head"]})")) == nvfp4);
  CHECK(weights(quantised(R"({"quant_method":"modelopt","quant_algo":"NVFP4","ignore":["model.layers.1*"]})")) ==
        "How modelopt stores these weights is not known.");
  CHECK(weights(quantised(R"({"quant_method":"modelopt","quant_algo":"NVFP4","exclude_modules":["model.layers.1*"]})")) ==
        "How modelopt stores these weights is not known.");
  const std::string group = R"("weights":{"num_bits":4,"type":"float","strategy":"tensor_group","group_size":16,"symmetric":true})";
  const auto compressed = [&](const std::string& inputs) {
    return quantised(R"({"quant_method":"compressed-tensors","format":"nvfp4-pack-quantized","config_groups":{"group_0":{)" + group +
                     inputs + "}}}");
  };
  CHECK(weights(compressed(R"(,"input_activations":{"num_bits":4})")) == nvfp4);
  CHECK(weights(compressed("")) == std::to_string(numbers / 2 + numbers / 16 + 7 * 4 + rest));
  // Integers with one 16-bit scale per row, and two 64-bit numbers per matrix for its shape.
  const auto integers = [&](const std::string& strategy, const std::string& symmetric) {
    return weights(quantised(R"({"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":4,"type":"int",)"
                             R"("strategy":")" +
                             strategy + R"(","symmetric":)" + symmetric + "}}}}"));
  };
  CHECK(integers("channel", "true") == std::to_string(numbers / 2 + 2 * (5 * 128 + 2 * 256) + 7 * 16 + rest));
  CHECK(integers("channel", "false") == "How compressed-tensors stores these weights is not known.");
  CHECK(integers("block", "true") == "How compressed-tensors stores these weights is not known.");
  // FP8: two 32-bit scales per matrix, for its weight and for its input.
  CHECK(weights(quantised(R"({"quant_method":"modelopt","quant_algo":"FP8"})")) == std::to_string(numbers + 7 * 8 + rest));
  // Excluded modules keep their 16 bits.
  CHECK(weights(quantised(R"({"quant_method":"bitsandbytes","load_in_8bit":true,"llm_int8_skip_modules":["down_proj"]})")) ==
        std::to_string(numbers + 128 * 256 + 4 * (4 * 128 + 2 * 256) + 6 + rest));
  CHECK(weights(quantised(R"({"quant_method":"quip"})")) == "How quip stores these weights is not known.");
  CHECK(weights(quantised("{}")) == "How this quantisation stores these weights is not known.");
  // At most 40 characters of a name are quoted.
  CHECK(weights(quantised(R"({"quant_method":")" + std::string(41, 'q') + R"("})")) ==
        "How " + std::string(40, 'q') + " stores these weights is not known.");
}

TEST_CASE("quantized experts are three linear layers each if the treatment of the router is known") {
  // Two experts of 3 × 128 × 256 in one layer, four matrices of 128 × 128, a router of 2 × 128.
  const auto of = [](const std::string& quantization, const std::string& type = "qwen3_moe") {
    return weights(R"({"model_type":")" + type +
                   R"(","hidden_size":128,"moe_intermediate_size":256,"num_experts":2,"num_experts_per_tok":1,"num_hidden_layers":1,)"
                   R"("num_attention_heads":2,"num_key_value_heads":2,"head_dim":64,"vocab_size":64,"torch_dtype":"float16",)"
                   R"("quantization_config":)" +
                   quantization + "}");
  };
  const std::uint64_t numbers = 4 * 128 * 128 + 2 * 3 * 128 * 256, modules = 4 + 2 * 3;
  const std::uint64_t rest = 2 * (2 * 64 * 128 + 3 * 128 + 2 * 64 + 2 * 128);
  const std::string packed = R"({"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":)"
                             R"({"num_bits":4,"type":"int","strategy":"group","group_size":128,"symmetric":true}}},"ignore":)";
  CHECK(of(packed + R"(["model.layers.0.mlp.gate"]})") == std::to_string(numbers / 2 + numbers / 128 * 2 + modules * 16 + rest));
  // Lists of modules may contain regular expressions, which must match from the beginning of a module's name.
  const std::string in_four_bits = std::to_string(numbers / 2 + numbers / 128 * 2 + modules * 16 + rest);
  CHECK(of(packed + R"(["lm_head","re:.*mlp.gate$"]})") == in_four_bits);
  CHECK(of(packed + R"(["re:model\\.layers\\.\\d+\\.mlp\\.gate$","re:.*vision.*"]})") == in_four_bits);
  // A stacked parameter of gate and up projections, with 2 · 256 rows for each expert, is two linear layers for each expert. This type has
  // no head.
  CHECK(of(packed + R"(["re:.*mlp.gate$"]})", "qwen3_vl_moe_text") ==
        std::to_string(numbers / 2 + numbers / 128 * 2 + modules * 16 + rest - 2 * 64 * 128));
  CHECK(of(packed + R"(["re:mlp.gate$","re:.*mlp.gate$"]})") == "A pattern of `ignore` or `targets` matches no module of this model.");
  CHECK(of(packed + R"(["re:.*mlp.gate$","re:.*(?!x)y"]})") == "Which modules \"re:.*(?!x)y\" matches is not known.");
  const std::uint64_t experts = 2 * 3 * 128 * 256, attention = 4 * 128 * 128;
  const std::string experts_alone = std::to_string(experts / 2 + experts / 128 * 2 + 6 * 16 + 2 * attention + rest);
  CHECK(of(packed + R"(["re:.*mlp.gate$","re:.*self_attn.*"]})") == experts_alone);
  // A pattern that excludes one of two experts is refused, because it is not counted how many experts a pattern selects.
  CHECK(of(packed + R"(["re:.*mlp.gate$","re:.*experts\\.0\\..*"]})") ==
        "How many of model.layers.0.mlp.experts.[0-1].gate_proj.weight are converted is not known.");
  // A pattern that excludes all experts of the only layer is counted.
  CHECK(of(packed + R"(["re:.*mlp.gate$","re:model\\.layers\\.0\\.mlp\\.experts\\..*"]})") ==
        std::to_string(attention / 2 + attention / 128 * 2 + 4 * 16 + 2 * experts + rest));
  CHECK(of(packed + R"(["re:.*mlp.gate$","re:.*self_attn.(q|k|v|o)_proj"]})") == experts_alone);
  CHECK(of(R"({"quant_method":"compressed-tensors","config_groups":{"group_0":{"targets":["re:.*experts\\.\\d+\\..*"],"weights":)"
           R"({"num_bits":4,"type":"int","strategy":"group","group_size":128,"symmetric":true}}}})") == experts_alone);
  CHECK(of(packed + R"(["lm_head"]})") == "Whether compressed-tensors converts model.layers.0.mlp.gate.weight is not known.");
  const std::uint64_t groups = numbers / 128, columns = 4 * 128 + 2 * (128 + 128 + 256);
  CHECK(of(R"({"quant_method":"gptq","bits":4,"group_size":128})") ==
        std::to_string(numbers / 2 + groups * 2 + groups / 2 + 4 * columns + rest));
  CHECK(of(R"({"quant_method":"awq","bits":4,"group_size":128,"modules_to_not_convert":["gate"]})") ==
        std::to_string(numbers / 2 + groups * 2 + groups / 2 + rest));
  CHECK(of(R"({"quant_method":"awq","group_size":128,"modules_to_not_convert":["gate"]})") == "How awq stores these weights is not known.");
  CHECK(of(R"({"quant_method":"bitsandbytes","load_in_8bit":true,"llm_int8_skip_modules":["gate"]})") ==
        "Whether bitsandbytes converts model.layers.0.mlp.experts.[0-1].gate_proj.weight is not known.");
  CHECK(of(R"({"quant_method":"bitsandbytes","load_in_8bit":true,"llm_int8_skip_modules":["gate"]})", "qwen3_vl_moe_text") ==
        "Whether bitsandbytes converts layers.0.mlp.experts.gate_up_proj is not known.");
}

TEST_CASE("eight-bit files keep the layers in 16 bits that are not converted") {
  // Three layers with query and output matrices of 6 × 6, key and value matrices of 3 × 6, and three matrices of 9 × 6, in blocks of 4 × 4.
  const auto of = [](const std::string& kept) {
    return weights(R"({"model_type":"mistral","hidden_size":6,"intermediate_size":9,"num_hidden_layers":3,"num_attention_heads":2,)"
                   R"("num_key_value_heads":1,"head_dim":3,"vocab_size":10,"torch_dtype":"bfloat16","quantization_config":)"
                   R"({"quant_method":"fp8","weight_block_size":[4,4],"modules_to_not_convert":[)" +
                   kept + "]}}");
  };
  constexpr int attention = 2 * 6 * 6 + 2 * 3 * 6, fed = 3 * 9 * 6, rest = 2 * 10 * 6 + 7 * 6;
  constexpr int attention_scales = 2 * 2 * 2 + 2 * 1 * 2, fed_scales = 3 * 3 * 2;
  CHECK(of("") == std::to_string(3 * (attention + fed) + 3 * 4 * (attention_scales + fed_scales) + 2 * rest));
  CHECK(of(R"("model.layers.0.mlp")") ==
        std::to_string(3 * attention + 2 * fed + 2 * fed + 4 * (3 * attention_scales + 2 * fed_scales) + 2 * rest));
  CHECK(of(R"("mlp")") == std::to_string(3 * attention + 3 * 2 * fed + 4 * 3 * attention_scales + 2 * rest));
}

TEST_CASE("MLX leaves rows in 16 bits that are not whole groups") {
  // A table and a head of 64 × 96 and a norm of 96. A row of 96 numbers is one and a half groups of 64, or three of 32.
  const auto of = [](int group) {
    return weights(R"({"model_type":"llama","hidden_size":96,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64,)"
                   R"("torch_dtype":"float16","quantization":{"bits":4,"group_size":)" +
                   std::to_string(group) + "}}");
  };
  CHECK(of(64) == std::to_string(2 * (2 * 64 * 96 + 96)));
  CHECK(of(32) == std::to_string(2 * 64 * (96 / 2 + 3 * 4) + 2 * 96));
}

TEST_CASE("layers that one list chooses and another leaves out") {
  // Two layers of four matrices of 128 × 128 and three of 256 × 128.
  const auto of = [](const std::string& ignore, const std::string& targets) {
    return weights(R"({"model_type":"llama","hidden_size":128,"intermediate_size":256,"num_hidden_layers":2,"num_attention_heads":2,)"
                   R"("vocab_size":64,"tie_word_embeddings":false,"torch_dtype":"float16","quantization_config":)"
                   R"({"quant_method":"compressed-tensors","ignore":[")" +
                   ignore + R"("],"config_groups":{"group_0":{"targets":[")" + targets +
                   R"("],"weights":{"num_bits":4,"type":"int","strategy":"group","group_size":128,"symmetric":true}}}}})");
  };
  const std::uint64_t mlp = 3 * 128 * 256, attention = 4 * 128 * 128;
  // Attention is excluded in all layers, so only the first layer's feed-forward block is converted.
  CHECK(of("re:.*self_attn.*", "re:.*layers\\\\.0\\\\..*") ==
        std::to_string(mlp / 2 + mlp / 128 * 2 + 3 * 16 + 2 * (mlp + 2 * attention + 2 * 64 * 128 + 5 * 128)));
  CHECK(of("lm_head", "model.layers.0.mlp.up_proj") == "Which modules `targets` names is not known.");
  // `ignore` selects one of two layers and `targets` selects one. Whether both select the same layer is not computed.
  CHECK(of("re:.*layers\\\\.0\\\\.mlp.*", "re:.*layers\\\\.1\\\\..*") ==
        "How many of model.layers.[0-1].mlp.gate_proj.weight are converted is not known.");
}

TEST_CASE("weights have the type that the configuration gives") {
  // A table and a head of 64 × 128, and a norm of 128.
  const auto weights_in = [](const std::string& types) {
    return asked(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64)" + types + "}")
        .at("weights");
  };
  constexpr std::uint64_t n = 2 * 64 * 128 + 128;
  const auto stored = [&](const std::string& types, const std::string& format, std::uint64_t width) {
    const Json weights = weights_in(types);
    INFO(weights.dump());
    CHECK_FALSE(weights.contains("note"));
    CHECK(weights.at("format") == format);
    CHECK(weights.at("loaded").at("bytes") == std::to_string(n * width));
  };
  stored(R"(,"torch_dtype":"float32")", "float32", 4);
  stored(R"(,"dtype":"float16")", "float16", 2);
  stored(R"(,"dtype":"float32","torch_dtype":"float16")", "float32", 4);
  stored(R"(,"dtype":"int8","torch_dtype":"float16")", "float16", 2);  // types of less than 16 bits are those of a quantization
  stored(R"(,"text_config":{"torch_dtype":"float32"})", "float32", 4);
  for (const char* none : {"", R"(,"torch_dtype":null)", R"(,"torch_dtype":"auto")"}) {
    CHECK(weights_in(none).at("note") == "The configuration does not give the data type of the weights: 16 bits are assumed.");
    CHECK(weights_in(none).at("loaded").at("bytes") == std::to_string(2 * n));
  }
}

TEST_CASE("files in 16 bits contain prediction layers that inference does not load") {
  const auto stored = [](const std::string& more) {
    return asked(R"({"model_type":"deepseek_v3","hidden_size":128,"intermediate_size":256,"num_hidden_layers":1,"first_k_dense_replace":1,)"
                 R"("num_attention_heads":2,"num_key_value_heads":2,"q_lora_rank":null,"kv_lora_rank":32,"qk_nope_head_dim":32,)"
                 R"("qk_rope_head_dim":16,"v_head_dim":32,"vocab_size":64,"torch_dtype":"bfloat16")" +
                 more + "}")
        .at("weights");
  };
  const auto bytes = [](const Json& weights, const char* name) { return std::stoull(weights.at(name).at("bytes").get<std::string>()); };
  const Json with = stored(R"(,"num_nextn_predict_layers":1)"), without = stored(R"(,"num_nextn_predict_layers":0)");
  CHECK(bytes(with, "loaded") == bytes(without, "loaded"));
  CHECK_FALSE(without.contains("files"));
  // The prediction layer: a table and a head of 64 × 128, a projection of 128 × 256, three norms, and a copy of the model's layer.
  const std::uint64_t attention = 2 * 48 * 128 + 48 * 128 + 32 + 2 * (32 + 32) * 32 + 128 * 2 * 32;
  const std::uint64_t layer = attention + 3 * 256 * 128 + 2 * 128;
  CHECK(bytes(with, "files") - bytes(with, "loaded") == 2 * (2 * 64 * 128 + 256 * 128 + 3 * 128 + layer));
}

TEST_CASE("patterns are compared with two layers of a very deep model") {
  // 2,001 layers of four matrices of 128 × 128 and three of 256 × 128.
  constexpr std::uint64_t layers = 2001;
  const auto of = [](const std::string& ignore) {
    return weights(R"({"model_type":"llama","hidden_size":128,"intermediate_size":256,"num_hidden_layers":2001,"num_attention_heads":2,)"
                   R"("vocab_size":64,"tie_word_embeddings":false,"torch_dtype":"float16","quantization_config":)"
                   R"({"quant_method":"compressed-tensors","ignore":[")" +
                   ignore +
                   R"("],"config_groups":{"group_0":{"targets":["Linear"],)"
                   R"("weights":{"num_bits":4,"type":"int","strategy":"group","group_size":128,"symmetric":true}}}}})");
  };
  // Each matrix has a 16-bit scale for 128 weights and two 64-bit numbers for its shape.
  const std::uint64_t down = 256 * 128, others = 4 * 128 * 128 + 2 * down, rest = 2 * 64 * 128 + (2 * layers + 1) * 128;
  CHECK(of("re:.*down_proj") == std::to_string(layers * (others / 2 + others / 128 * 2 + 6 * 16 + 2 * down) + 2 * rest));
  CHECK(of("re:.*layers\\\\.0\\\\..*") == "How many of model.layers.[0-2000].self_attn.q_proj.weight are converted is not known.");
}

TEST_CASE("llama.cpp's exceptions") {
  // If there are eight experts, llama.cpp stores the key and value projections in Q8_0, also in a Q4_0 file.
  const auto mixtral = [](unsigned experts, const std::string& format) {
    return weights(R"({"model_type":"mixtral","hidden_size":256,"intermediate_size":512,"num_local_experts":)" + std::to_string(experts) +
                       R"(,"num_experts_per_tok":1,"num_hidden_layers":8,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":64})",
                   format);
  };
  const auto bytes = [](std::uint64_t numbers, std::uint64_t of, std::uint64_t in) { return numbers / of * in; };
  const auto sum = [&](std::uint64_t experts, bool better) {
    const std::uint64_t queries = 2 * 256 * 256, keys = 2 * 128 * 256, fed = experts * 3 * 256 * 512;
    return bytes(8 * (queries + fed) + 64 * 256, 32, 18) + (better ? bytes(8 * keys, 32, 34) : bytes(8 * keys, 32, 18)) +
           bytes(64 * 256, 256, 210) + 4 * (8 * (2 * 256 + experts * 256) + 256);
  };
  CHECK(mixtral(8, "Q4_0") == std::to_string(sum(8, true)));
  CHECK(mixtral(4, "Q4_0") == std::to_string(sum(4, false)));
  CHECK(mixtral(8, "Q4_K_M") == "Which of these tensors llama.cpp stores more precisely in Q4_K_M is not known.");
  // In these models some layers have no value matrix.
  CHECK(weights(R"({"model_type":"lfm2","num_hidden_layers":2,"layer_types":["conv","full_attention"]})", "Q4_K_M") ==
        "Which of these tensors llama.cpp stores more precisely in Q4_K_M is not known.");
  // MLA's key projections are stored transposed, in rows of 128 weights, which are no multiple of 256. Q5_0 therefore replaces Q4_K.
  const auto latent = [](const std::string& format) {
    return std::stoull(weights(R"({"model_type":"deepseek_v3","num_hidden_layers":1,"first_k_dense_replace":1})", format));
  };
  const std::uint64_t heads = 128, k_b = heads * 512 * 128, before = k_b / 256 * 144, now = k_b / 32 * 22;
  const std::uint64_t q_a = 1536 * 7168, q_b = heads * 192 * 1536, kv_a = 576 * 7168, v_b = heads * 128 * 512, o = 7168 * heads * 128;
  const std::uint64_t most = q_a + q_b + kv_a + v_b + o + 3 * 7168 * 18432 + 2 * 129'280 * 7168 + k_b;
  CHECK(latent("Q4_K") == most / 256 * 144 - before + now + 4 * (3 * 7168 + 1536 + 512));
  CHECK(latent("Q4_0") > 0);
}

TEST_CASE("llama.cpp does not quantize tables of positions and token types") {
  // Rows of 64 numbers are two blocks of Q8_0, of 34 bytes each. GPT-2 has 32 tokens, 16 positions and a last norm.
  CHECK(weights(R"({"model_type":"gpt2","n_embd":64,"n_head":2,"n_layer":0,"vocab_size":32,"n_positions":16})", "Q8_0") ==
        std::to_string(32 * 2 * 34 + 4 * (16 * 64 + 2 * 64)));
  // BERT also has two token types, and a pooler of 64 × 64 behind a norm.
  CHECK(weights(R"({"model_type":"bert","architectures":["BertModel"],"hidden_size":64,"num_attention_heads":2,"num_hidden_layers":0,)"
                R"("vocab_size":32,"max_position_embeddings":16,"type_vocab_size":2})",
                "Q8_0") == std::to_string((32 + 64) * 2 * 34 + 4 * ((16 + 2) * 64 + 2 * 64 + 64)));
}

TEST_CASE("block formats with rows that are not whole blocks") {
  // Rows of 96 weights are three blocks of 32, but no multiple of 256, so Q8_0 replaces Q6_K. Rows of 40 weights are no multiple of 32
  // either, so they are stored in 16 bits.
  const auto of = [](const std::string& hidden, const std::string& format) {
    return weights(R"({"model_type":"llama","hidden_size":)" + hidden +
                       R"(,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64,"tie_word_embeddings":true})",
                   format);
  };
  CHECK(of("96", "Q6_K") == std::to_string(64 * 3 * 34 + 96 * 4));
  CHECK(of("96", "Q5_K") == std::to_string(64 * 3 * 24 + 96 * 4));  // in Q5_1
  CHECK(of("96", "Q4_K") == std::to_string(64 * 3 * 22 + 96 * 4));  // in Q5_0
  CHECK(of("40", "Q6_K") == std::to_string(64 * 40 * 2 + 40 * 4));
  CHECK(of("256", "Q4_0") == std::to_string(64 * 210 + 256 * 4));  // a tied table is also the head, which is in Q6_K
}

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
    const Json training = asked(config.dump(), "\"training\":{\"lora\":" + lora.dump() + "}").at("training");
    INFO(training.value("reason", ""));
    CHECK(training.at("known").get<bool>() == !refused);
    if (!refused && training.at("known").get<bool>()) CHECK(training.at("trained") == trained);
    types.insert(config.at("model_type").get<std::string>());
    ++cases;
  }
  CHECK(cases == 566);
  CHECK(types.size() == 70);
  // The reason why the trained parameters are not known; empty if they are. Either peft refuses the modules, or its handling of a model's
  // experts has not been compared.
  const auto reason = [](const std::string& type, const std::string& modules) {
    const Json training =
        asked(R"({"model_type":")" + type + "\"}", R"("training":{"lora":{"r":8,"target_modules":)" + modules + "}}").at("training");
    return training.at("known").get<bool>() ? std::string() : training.at("reason").get<std::string>();
  };
  CHECK(reason("mixtral", R"(["w1"])") == "The gate and up projections of experts are one parameter. Target both or neither.");
  CHECK(reason("gpt2", R"(["q_proj"])") == "Nothing in this model has any of these names.");
  CHECK(reason("dbrx", R"("all-linear")").starts_with("How peft adapts transformer.blocks."));
  CHECK(reason("qwen2_moe", R"(["gate"])").starts_with("How peft adapts model.layers."));
  CHECK(reason("dbrx", R"(["Wqkv"])").empty());
  const Json wrong = asked(R"({"model_type":"llama"})", R"("training":{"lora":{"r":0,"target_modules":["q_proj"]}})");
  CHECK(wrong.at("error").at("field") == "r");
  // A name that matches nothing is reported in a note if other names match.
  const auto note = [](const std::string& lora) {
    return asked(R"({"model_type":"mixtral"})", R"("training":{"lora":{"r":8,)" + lora + "}}").at("training").value("note", "");
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
    return asked(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":64})",
                 R"("training":{)" + lora + "}")
        .at("training")
        .at("tensors");
  };
  CHECK(tensors(R"("lora":{"r":8,"target_modules":["q_proj"]})") ==
        Json::array({{{"name", "model.layers.[0-1].self_attn.q_proj.weight"}, {"trained", std::to_string(2 * 8 * (128 + 128))}}}));
  CHECK(tensors("") == Json::array());
}

TEST_CASE("a layer that two names select gets one adapter") {
  const auto trained = [](const std::string& modules) {
    return asked(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":64})",
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
    const Json training = asked(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":64})",
                                R"("training":{"lora":{)" + lora + "}}")
                              .at("training");
    return training.at("known").get<bool>() ? std::string() : training.at("reason").get<std::string>();
  };
  CHECK(reason(R"("r":8,"target_modules":["q_proj"],"use_dora":true)").empty());
  CHECK(reason(R"("r":8,"target_modules":[],"target_parameters":["q_proj.weight"],"use_dora":true)") ==
        "peft cannot adapt parameters with use_dora.");
  CHECK(reason(R"("r":8,"target_modules":[],"target_parameters":["norm.weight"])") ==
        "peft adapts only parameters of 2 or 3 dimensions, unlike model.norm.weight.");
  CHECK(reason(R"("r":8,"target_modules":["q_proj"],"target_parameters":["q_proj.weight"])") ==
        "peft adapts model.layers.[0-1].self_attn.q_proj.weight by its module or as a parameter, but not both.");
  CHECK(reason(R"("r":8,"target_modules":["norm"])") ==
        "peft cannot adapt model.norm, which is neither a linear layer nor an embedding table.");
  CHECK(reason(R"("r":8,"target_modules":["layers.5.self_attn.q_proj"])") == "Nothing in this model has any of these names.");
  const auto field = [](const std::string& lora) {
    return asked(R"({"model_type":"llama"})", R"("training":{"lora":{)" + lora + "}}").at("error").at("field").get<std::string>();
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
    return asked(R"({"model_type":"llama","num_hidden_layers":2})", R"("training":{"lora":{"r":8,)" + lora + "}}")
        .at("training")
        .value("note", "");
  };
  CHECK(note(R"("target_modules":["q_proj","nope"],"target_parameters":["nothing"],"modules_to_save":["none"])") ==
        "Nothing in this model is named nope, nothing, none.");
  CHECK(note(R"("target_modules":["q_proj"],"modules_to_save":["lm_head"])").empty());
}

TEST_CASE("an adapter may train nothing but parameters") {
  const Json training = asked(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":64})",
                              R"("training":{"lora":{"r":8,"target_modules":[],"target_parameters":["q_proj.weight"]}})")
                            .at("training");
  REQUIRE(training.at("known") == true);
  CHECK(training.at("trained") == std::to_string(2 * 8 * (128 + 128)));
}

TEST_CASE("optimizers by hand") {
  // Three tensors: a table and a head of 64 × 128, a norm of 128.
  const std::string config = R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64})";
  const std::uint64_t n = 2 * 64 * 128 + 128;
  const auto states = [&](const std::string& optimizer, const std::string& more = "") -> std::string {
    const Json answer = asked(config, R"("training":{"optimizer":")" + optimizer + "\"" + more + "}");
    for (const Json& row : answer.at("training").at("rows"))
      if (row.at("name") == "states") return row.at("total").at("bytes").get<std::string>();
    return "none";
  };
  CHECK(states("adamw") == std::to_string(8 * n));
  CHECK(states("adamw", R"(,"precision":"bfloat16")") == std::to_string(4 * n));
  CHECK(states("adamw_8bit") == std::to_string(2 * (2 * 8192 + 8 * 32) + 8 * 128));
  // A table of 65 × 128 is 32.5 blocks. The half block at the end has a scale of its own.
  const Json half = asked(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":65})",
                          R"("training":{"optimizer":"adamw_8bit"})");
  CHECK(half.at("training").at("rows").back().at("total").at("bytes") == std::to_string(2 * (2 * 8320 + 8 * 33) + 8 * 128));
  // 8-bit AdamW has a scale for each 256 numbers of a tensor with at least 4,096. Smaller tensors have states in 32 bits.
  const auto eight_bits = [](std::uint64_t rows) {
    return asked(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":)" +
                     std::to_string(rows) + "}",
                 R"("training":{"optimizer":"adamw_8bit"})")
        .at("training")
        .at("rows")
        .back()
        .at("total")
        .at("bytes");
  };
  CHECK(eight_bits(600) == std::to_string(2 * (2 * 600 * 128 + 8 * 300) + 8 * 128));
  CHECK(eight_bits(32) == std::to_string(2 * (2 * 4096 + 8 * 16) + 8 * 128));
  CHECK(eight_bits(31) == std::to_string(2 * 8 * 31 * 128 + 8 * 128));
  CHECK(states("sgd") == "none");
  CHECK(states("sgd_momentum") == std::to_string(4 * n));
  CHECK(states("adafactor") == std::to_string(4 * (2 * (64 + 128) + 128)));
  // Adafactor keeps a mean for each row and column of each of three experts. Their matrices are 2 · 16 × 128 and 128 × 16. The model
  // also has two tables of 64 × 128, four matrices of 128 × 128, a router of 3 × 128 and three norms of 128.
  const Json mixture = asked(R"({"model_type":"granitemoe","hidden_size":128,"num_hidden_layers":1,"num_attention_heads":2,)"
                             R"("num_key_value_heads":2,"vocab_size":64,"tie_word_embeddings":false,"num_local_experts":3,)"
                             R"("num_experts_per_tok":1,"intermediate_size":16})",
                             R"("training":{"optimizer":"adafactor"})");
  CHECK(mixture.at("training").at("rows").back().at("total").at("bytes") ==
        std::to_string(4 * (3 * (32 + 128) + 3 * (128 + 16) + 2 * (64 + 128) + 4 * (128 + 128) + (3 + 128) + 3 * 128)));
  CHECK(states("muon") == std::to_string(8 * n));  // Muon does not optimize tables, heads or vectors, which use AdamW
  CHECK(asked(config, R"("training":{"optimizer":"lion"})").at("error").at("field") == "optimizer");
}

TEST_CASE("modules_to_save trains each module whose name ends with a listed name") {
  const auto training = [](const std::string& saved) {
    const std::string config = R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":64})";
    const Json answer =
        asked(config, R"("training":{"optimizer":"muon","lora":{"r":8,"target_modules":["q_proj"],"modules_to_save":[)" + saved + "]}}");
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

TEST_CASE("training is divided among devices, with a remainder") {
  const std::string config = R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64})";
  const Json training = asked(config, R"("devices":7,"training":{"stage":2})").at("training");
  const std::uint64_t n = 2 * 64 * 128 + 128;
  const std::uint64_t bytes[] = {2 * n, 2 * n, 4 * n, 8 * n};
  REQUIRE(training.at("rows").size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& row = training.at("rows")[i];
    const bool divided = i > 0;
    CHECK(row.at("total").at("bytes") == std::to_string(bytes[i]));
    CHECK(row.at("each").at("bytes") == std::to_string(divided ? (bytes[i] + 6) / 7 : bytes[i]));
    CHECK(row.value("rest", "0") == std::to_string(divided ? bytes[i] % 7 : 0));
  }
  CHECK(training.at("total").at("bytes") == std::to_string(16 * n));
  CHECK(training.at("each").at("bytes") == std::to_string(2 * n + (2 * n + 6) / 7 + (4 * n + 6) / 7 + (8 * n + 6) / 7));
}

TEST_CASE("the longest context fits, but one more token does not") {
  const auto need = [](const std::string& config, std::uint64_t tokens) {
    return std::stoull(asked(config, "\"tokens\":" + std::to_string(tokens)).at("need").at("bytes").get<std::string>());
  };
  for (const std::string& config : {std::string(R"({"model_type":"llama"})"), std::string(R"({"model_type":"gemma3_text"})"),
                                    std::string(R"({"model_type":"deepseek_v3"})"), std::string(R"({"model_type":"falcon_h1"})"),
                                    std::string(R"({"model_type":"deepseek_v4"})"), std::string(R"({"model_type":"cpmant"})")}) {
    const std::uint64_t room = need(config, 12'345) + 1;
    const Json answer = asked(config, "\"room\":\"" + std::to_string(room) + "\"").at("room");
    const std::uint64_t longest = std::stoull(answer.at("longest").get<std::string>());
    INFO(config << " " << longest);
    CHECK(longest >= 12'345);
    CHECK(need(config, longest) <= room);
    CHECK(need(config, longest + 1) > room);
  }
  CHECK(asked(R"({"model_type":"mamba2"})", R"("room":"1000000000000")").at("room").at("unlimited") == true);
  CHECK(asked(R"({"model_type":"mamba2"})", R"("room":"1152921504606846976")").at("ok") == true);  // 2^60
  CHECK(asked(R"({"model_type":"mamba2"})", R"("room":"1152921504606846977")").at("error").at("field") == "room");
}

TEST_CASE("a model fits if it fills the room exactly") {
  const std::string config = R"({"model_type":"llama"})";
  const std::string need = asked(config).at("need").at("bytes").get<std::string>();
  const auto room = [&](std::uint64_t bytes) { return asked(config, "\"room\":\"" + std::to_string(bytes) + "\"").at("room"); };
  const Json exact = room(std::stoull(need)), less = room(std::stoull(need) - 1);
  CHECK(exact.at("fits") == true);
  CHECK(exact.at("left").at("bytes") == "0");
  CHECK(exact.at("longest") == "4096");
  CHECK(less.at("fits") == false);
  CHECK(less.at("missing").at("bytes") == "1");
}

TEST_CASE("the bars of a room are shares of the larger of what is needed and what is there") {
  // Without layers there is no cache. The weights are a table and a head of 64 × 128 and a norm of 128, in 16 bits.
  const std::string config = R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64})";
  constexpr int weights = 2 * (2 * 64 * 128 + 128);
  const auto bars = [](const std::string& model, int room, int devices) {
    const Json answer = asked(model, "\"tokens\":64,\"room\":\"" + std::to_string(room) + "\",\"devices\":" + std::to_string(devices));
    const Json& drawn = answer.at("room");
    CHECK(drawn.at("total").at("bytes") == std::to_string(room * devices));
    CHECK(drawn.at("one").at("bytes") == std::to_string(room));
    return std::array{drawn.at("weights_share").get<int>(), drawn.at("cache_share").get<int>(), drawn.at("room_share").get<int>()};
  };
  CHECK(bars(config, 2 * weights, 1) == std::array{5000, 0, 10000});
  CHECK(bars(config, weights, 2) == std::array{5000, 0, 10000});
  CHECK(bars(config, weights / 4, 1) == std::array{10000, 0, 2500});
  // With one layer, 64 tokens have keys and values of 128 each in 16 bits: 32,768 bytes.
  const std::string layer = R"({"model_type":"llama","hidden_size":128,"intermediate_size":128,"num_hidden_layers":1,)"
                            R"("num_attention_heads":2,"vocab_size":64})";
  constexpr int with_layer = weights + 2 * (7 * 128 * 128 + 2 * 128), cache = 64 * 2 * 128 * 2;
  CHECK(bars(layer, with_layer + cache, 1) == std::array{static_cast<int>(with_layer * 10'000LL / (with_layer + cache)),
                                                         static_cast<int>(cache * 10'000LL / (with_layer + cache)), 10'000});
}

TEST_CASE("a context above the configured maximum is marked") {
  // Llama 2 7B in 16 bits. A token takes 2 × 4,096 × 32 layers × 2 bytes of cache: (16,000,000,000 − 2 × 6,738,415,616) ÷ 524,288 =
  // 4,812.56…
  const auto room = [](const std::string& field) {
    return asked(R"({"model_type":"llama","torch_dtype":"bfloat16")" + field + "}", R"("room":"16000000000")").at("room");
  };
  CHECK(room("").at("longest") == "4812");
  CHECK_FALSE(room("").contains("beyond"));
  CHECK(room(R"(,"max_position_embeddings":4811)").at("beyond") == Json{{"field", "max_position_embeddings"}, {"tokens", "4811"}});
  CHECK_FALSE(room(R"(,"max_position_embeddings":4812)").contains("beyond"));
  CHECK_FALSE(room(R"(,"max_position_embeddings":-1)").contains("beyond"));
}

TEST_CASE("batch and beams are factors, and the cache's type is chosen") {
  const std::string config = R"({"model_type":"llama"})";
  const auto total = [&](const std::string& options) {
    return asked(config, options).at("cache").at("total").at("bytes").get<std::string>();
  };
  // Keys and values of 32 layers, 32 heads of 128.
  CHECK(total(R"("tokens":1000)") == std::to_string(2ULL * 32 * 32 * 128 * 1000 * 2));
  CHECK(total(R"("tokens":1000,"batch":3,"beams":4)") == std::to_string(2ULL * 32 * 32 * 128 * 1000 * 2 * 12));
  CHECK(total(R"("tokens":1000,"cache":"fp8")") == std::to_string(2ULL * 32 * 32 * 128 * 1000));
  for (const char* wrong :
       {R"("tokens":0)", R"("batch":-1)", R"("tokens":1.5)", R"("cache":"int4")", R"("weights":"Q9")", R"("room":"12a")"})
    CHECK(asked(config, wrong).at("ok") == false);
}

TEST_CASE("DeepSeek-V3 as published: eight bits, with a layer that inference does not load") {
  const std::string config = R"({"model_type":"deepseek_v3","torch_dtype":"bfloat16","num_nextn_predict_layers":1,)"
                             R"("quantization_config":{"quant_method":"fp8","weight_block_size":[128,128],"fmt":"e4m3"}})";
  const Json answer = asked(config, R"("tokens":32768,"room":"141000000000","devices":8)");
  const Json& w = answer.at("weights");
  // Of 671,026,404,352 parameters, the table and the head (2 × 926,679,040), norms and routers have 16 bits and the others 8. Scales have
  // 32 bits.
  std::uint64_t eight = 0, sixteen = 0, scales = 0, in_files = 0;
  for (const Json& row : w.at("rows")) {
    const std::uint64_t elements = std::stoull(row.at("elements").get<std::string>());
    const std::string format = row.at("format").get<std::string>();
    if (format == "float32") in_files += elements;
    if (row.contains("loaded")) continue;
    (format == "float8" ? eight : format == "bfloat16" ? sixteen : scales) += elements;
  }
  CHECK(eight + sixteen == 671'026'404'352);
  CHECK(scales == 40'838'232 + 14'848);  // and the routers' score corrections
  CHECK(in_files == 41'555'600);         // as the Hub lists them
  CHECK(w.at("loaded").at("bytes") == std::to_string(eight + 2 * sixteen + 4 * scales));
  CHECK(answer.at("room").at("fits") == true);
  CHECK(answer.at("cache").at("per_token") == std::to_string(61 * (512 + 64) * 2));
  CHECK(asked(config, R"("tokens":32768,"room":"80000000000","devices":8)").at("room").at("fits") == false);
  // If the bytes cannot be divided evenly, a device's share is rounded up to whole bytes.
  const Json seven = asked(config, R"("tokens":32768,"room":"141000000000","devices":7)");
  const std::uint64_t needed = std::stoull(seven.at("need").at("bytes").get<std::string>());
  REQUIRE(needed % 7 != 0);
  CHECK(seven.at("room").at("share").at("bytes") == std::to_string((needed + 6) / 7));
}
