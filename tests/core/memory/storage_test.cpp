#include "tests/support/memory_answer.hpp"

// Tests the bytes of stored weights against published files and calculations by hand.

namespace param_ledger::test {

TEST_CASE("bytes of weights are those of published files") {
  // metadata.total_size of Meta-Llama-3-8B's model.safetensors.index.json
  CHECK(weights(R"({"model_type":"llama","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_key_value_heads":8,)"
                R"("vocab_size":128256,"torch_dtype":"bfloat16"})") == "16060522496");
  // MLX stores 4 bits per weight and, for every 64 weights, a scale and a bias of 16 bits, hence 4.5 bits. This includes tables. Norms keep
  // 16 bits.
  CHECK(memory_answer(R"({"model_type":"llama","quantization":{"group_size":64,"bits":4}})", "").at("weights").at("bits_per_parameter") ==
        "4.50");
  CHECK(memory_answer(llama_2_7b, "").at("weights").at("bits_per_parameter") == "16.0");
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
  for (const std::string expert : {"0", "1"})
    CHECK(of(packed + R"(["re:.*mlp.gate$","re:.*experts\\.)" + expert + R"(\\..*"]})") ==
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
    return memory_answer(R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64)" +
                         types + "}")
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
    return memory_answer(
               R"({"model_type":"deepseek_v3","hidden_size":128,"intermediate_size":256,"num_hidden_layers":1,"first_k_dense_replace":1,)"
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

TEST_CASE("patterns without digits are compared with 2,001 layers, patterns with digits are not") {
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
  const std::uint64_t down = 256 * 128, others = 4 * 128 * 128 + 2 * down, numbers = others + down,
                      rest = 2 * 64 * 128 + (2 * layers + 1) * 128;
  CHECK(of("re:.*down_proj") == std::to_string(layers * (others / 2 + others / 128 * 2 + 6 * 16 + 2 * down) + 2 * rest));
  // 90 layers have two digits, and 1,001 have four.
  const auto without = [&](std::uint64_t kept) {
    return std::to_string((layers - kept) * (numbers / 2 + numbers / 128 * 2 + 7 * 16) + kept * 2 * numbers + 2 * rest);
  };
  CHECK(of(R"(re:.*layers\\.\\d\\d\\..*)") == without(90));
  CHECK(of(R"(re:.*layers\\.\\d\\d\\d\\d\\..*)") == without(1001));
  CHECK(of("re:.*layers\\\\.0\\\\..*") == "How many of model.layers.[0-2000].self_attn.q_proj.weight are converted is not known.");
}

}  // namespace param_ledger::test
